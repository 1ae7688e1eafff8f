"""
What is shown and to whom: pages, health, who may ask, and how many at a time.

It knows HTTP and the catalogue of metrics; it refuses to know the driver.
"""
