"""
The pages for people: what is shown, how it is said, and the forms that they send.

It knows the snapshot and words; it refuses to change anything but through a request.
"""
