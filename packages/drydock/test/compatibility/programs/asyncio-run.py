import asyncio


async def work(n):
    await asyncio.sleep(0.01 * n)
    return n


async def main():
    print(await asyncio.gather(*(work(i) for i in (3, 1, 2))))
    try:
        await asyncio.wait_for(asyncio.sleep(5), 0.01)
    except asyncio.TimeoutError:
        print("timed out")
    async with asyncio.Lock():
        print("locked")


asyncio.run(main())
