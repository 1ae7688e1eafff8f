"""Asks for pages in turn until told to stop; a line of JSON in, and how long each took, out."""

import asyncio
import json
import sys
from time import perf_counter

import aiohttp


async def main() -> None:
    order = json.loads(sys.stdin.readline())
    found: dict[str, list[float]] = {path: [] for path in order["paths"]}
    told = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    async with aiohttp.ClientSession() as client:
        while not told.done():
            for path, seconds in found.items():
                began = perf_counter()
                async with client.get(order["url"] + path) as response:
                    assert response.status == 200, (path, response.status)
                    await response.read()
                seconds.append(perf_counter() - began)
                await asyncio.sleep(order["pause"])
    print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main())
