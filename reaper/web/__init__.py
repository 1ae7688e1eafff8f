"""
What people and machines read over HTTP, and what people answer there: pages, API, metrics, health.

It knows questions, requests and how their answers look.  Everything it shows comes from the
picture that the cycle wrote, with its age beside it, cut to what its reader may see.  Who asks on
the unix socket is who the kernel says; on the port, who a proxy, a provider or a signed link
proves.  It refuses to judge, to compute a figure a second time, to change anything by GET, and to
change anything for nobody.
"""
