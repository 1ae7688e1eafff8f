"""
Random clusters whose truth is known, played under the shipped policies and judged by that truth.

Truth, drawing and judge know the scenario format and nothing of the code that decides; only
`playing` does.
"""
