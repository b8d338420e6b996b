import sqlite3

for place in (":memory:", "data.db"):
    db = sqlite3.connect(place)
    db.execute("create table t (a integer primary key, b text)")
    db.executemany("insert into t (b) values (?)", [("x",), ("ÿ",)])
    db.commit()
    print(db.execute("select * from t order by a").fetchall())
    try:
        db.execute("insert into t values (1, 'again')")
    except sqlite3.IntegrityError as error:
        print(error)
    db.close()
