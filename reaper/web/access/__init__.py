"""
Who asks: a signed link, a proxy's word, an OpenID provider, or a user of this machine.

It knows identities and how they are proven; it refuses to know what is shown to them.
"""
