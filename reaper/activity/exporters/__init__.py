"""
The nodes' own exporters, asked directly: the embedded default, up to about a thousand nodes.

It knows targets, HTTP, the wire's pages and when a page or a node's clock is not to be trusted.
It refuses to know who holds a device, what idle means and any other exporter's names.
"""
