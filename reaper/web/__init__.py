"""
What people and machines read over HTTP: the page, the JSON API, metrics and health.

It knows questions, requests and how their answers look.  Everything it shows comes from the
picture that the cycle wrote, with its age beside it.  It refuses to judge, to compute a figure a
second time, and to change anything by GET; over TCP it changes nothing at all.  Who asks on the
unix socket is who the kernel says.
"""
