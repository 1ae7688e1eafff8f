"""
What a GPU-hour costs: rate cards, exact amounts by currency, what an instance is of a card.

It knows prices; it refuses to know who held what.
"""
