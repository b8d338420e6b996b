import os
import time
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

moment = datetime(2024, 3, 31, 0, 30, tzinfo=timezone.utc)
print(moment.astimezone(ZoneInfo("Europe/Berlin")), (moment + timedelta(hours=1)).astimezone(ZoneInfo("Europe/Berlin")))
print(time.tzname, time.timezone, datetime.fromtimestamp(0))
os.environ["TZ"] = "Asia/Tokyo"
time.tzset()
print(time.strftime("%H:%M %Z", time.localtime(0)), datetime.fromtimestamp(0).hour)
