# Why something is so. Every value is named with its unit; SPAN says seconds.

idle-only = idle for { SPAN($seconds) } only
