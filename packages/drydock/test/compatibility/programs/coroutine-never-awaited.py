import asyncio


async def main():
    raise LookupError("from a task")


asyncio.run(main())
