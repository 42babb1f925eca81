"""The company's data on its way: landed, cleaned, kept over time and sent out, set up and run once through the API.

Every step looks first whether it was taken already, so that a demo stopped in the middle goes on where it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import httpx

from bailiwick.demo import data, people
from bailiwick.demo.people import Person

PATIENCE_SECONDS = 900
LOOK_EVERY_SECONDS = 0.3
Tell = Callable[[str, int, int], None]  # what is being done, the number of the step, how many there are

SALES_TYPES = {"sold_on": "date", "quantity": "int", "price": "decimal(10,2)"}
DELIVERY_TYPES = {"promised_on": "date", "arrived_on": "date", "crates": "int"}

CLEAN_SALES = """
SELECT receipt, sold_on, shop_id, product_id, nullif(customer_id, '') AS customer_id, quantity, price,
       CAST(quantity * price AS decimal(12, 2)) AS amount
FROM raw.sales
"""
DAILY_SALES = """
SELECT s.sold_on, h.name AS shop, p.category, sum(s.quantity) AS pieces, sum(s.amount) AS turnover,
       count(DISTINCT s.customer_id) AS known_customers
FROM trusted.sales AS s
JOIN raw.shops AS h ON h.shop_id = s.shop_id
JOIN raw.products AS p ON p.product_id = s.product_id
GROUP BY s.sold_on, h.name, p.category
"""
CARRIERS = """
SELECT carrier, count(*) AS deliveries, count_if(arrived_on > promised_on) AS late,
       round(avg(datediff(arrived_on, promised_on)), 2) AS days_late
FROM raw.deliveries GROUP BY carrier
"""
BEST_SHOPS = """
SELECT shop, sum(turnover) AS turnover FROM service.daily_sales
WHERE sold_on > (SELECT max(sold_on) FROM service.daily_sales) - INTERVAL 7 DAYS
GROUP BY shop ORDER BY turnover DESC LIMIT 5
"""


class Flow:
    """Sets everything up as the people whose work it is, and lets it run."""

    def __init__(self, address: str, secrets: Mapping[Person, str], files: Path, last_day: date, tell: Tell) -> None:
        self._secrets = secrets
        self._client = httpx.Client(base_url=f"{address}/api/v1", timeout=90)
        self._files = files
        self._last_day = last_day
        self._tell = tell
        self._ids: dict[str, str] = {}

    def run(self) -> None:
        steps: list[tuple[str, Callable[[], None]]] = [
            ("Who may see which data", self._grants),
            ("Files from the shops", self._land),
            ("Sources", self._sources),
            ("Waiting for Spark", self._until_spark_is_ready),
            ("Syncing shops, products and deliveries", lambda: self._sync("Shops", "Products", "Deliveries")),
            ("Syncing a month of sales", lambda: self._sync("Shop sales")),
            ("Syncing customers", lambda: self._sync("Loyalty customers")),
            ("Cleaning sales", self._clean),
            ("Sales by day", self._daily),
            ("Carriers", self._carriers),
            ("Customers over time", self._history),
            ("A week later: customers again", self._next_week),
            ("Sending sales to finance", self._destination),
            ("A saved query", self._saved),
            ("Triggers", self._triggers),
        ]
        with self._client:
            for number, (title, step) in enumerate(steps):
                self._tell(title, number, len(steps))
                step()
            self._tell("Done", len(steps), len(steps))

    # Steps ---------------------------------------------------------------------------------------------------------

    def _grants(self) -> None:
        for layer in ("raw", "trusted", "service"):
            self._grant(people.ADA, "layers", self._layer(layer), group="Data engineers", level="Editor")
        self._grant(people.ADA, "layers", self._layer("trusted"), member=people.TESSA, level="Manager")
        self._grant(people.ADA, "layers", self._layer("service"), group="Sales analysts", level="Viewer")

    def _land(self) -> None:
        volume = self._ensure(
            people.EMIL,
            "volumes",
            "landing",
            {"layer": self._layer("raw"), "name": "landing", "description": "What shops and carriers send."},
        )
        if self._get(people.EMIL, f"volumes/{volume}/files")["items"]:
            return
        data.write_files(self._files, self._last_day)
        data.write_customers(self._files, 0)
        for path in sorted(self._files.rglob("*")):
            if path.is_file():
                self._upload(volume, path)

    def _sources(self) -> None:
        sales = _files("sales/*.csv", mode="incremental", primary_key=["receipt"], types=SALES_TYPES)
        self._source("Shop sales", "csv", {"sales": sales}, "Every receipt of every shop, a file a day.")
        self._source("Shops", "excel", {"shops": _files("shops.xlsx")}, "Shops, as the property team keeps them.")
        self._source("Products", "parquet", {"products": _files("products.parquet")}, "Everything that can be bought.")
        deliveries = _files("deliveries.jsonl", types=DELIVERY_TYPES)
        self._source("Deliveries", "json_lines", {"deliveries": deliveries}, "What the carriers brought, and when.")
        customers = _files("customers.csv", primary_key=["customer_id"])
        self._source("Loyalty customers", "csv", {"customers": customers}, "The loyalty programme, as it stands.")

    def _until_spark_is_ready(self) -> None:
        def ready() -> bool:
            state = self._get(people.EMIL, "spark")
            if state["state"] == "failed":
                raise RuntimeError(state["detail"])
            return bool(state["state"] == "ready")

        self._wait(ready)

    def _sync(self, *names: str) -> None:
        for run in [self._start(people.EMIL, "sources", name) for name in names]:
            self._until_ended(people.EMIL, run)

    def _clean(self) -> None:
        expectations = [
            {"kind": "not_null", "column": "receipt", "stop": True},
            {"kind": "unique", "column": "receipt", "stop": True},
            {"kind": "row_count", "least": 1000, "stop": True},
            {"kind": "range", "column": "quantity", "least": 1, "most": 6},
        ]
        self._query("Clean sales", CLEAN_SALES, "trusted", "sales", expectations)

    def _daily(self) -> None:
        self._query("Sales by day", DAILY_SALES, "service", "daily_sales", [])
        table = self._table("service", "daily_sales")
        self._grant(people.ADA, "tables", table, group="Finance", level="Viewer")

    def _carriers(self) -> None:
        self._query("Carriers", CARRIERS, "service", "carriers", [])

    def _history(self) -> None:
        body = {
            "name": "Customers over time",
            "table_id": self._table("raw", "customers"),
            "keys": ["customer_id"],
            "output_layer_id": self._layer("trusted"),
            "output_name": "customers_history",
        }
        self._ensure(people.EMIL, "histories", "Customers over time", body)
        self._run("histories", "Customers over time")

    def _next_week(self) -> None:
        data.write_customers(self._files, 1)
        self._upload(self._find(people.EMIL, "volumes", "landing") or "", self._files / "customers.csv")
        self._run("sources", "Loyalty customers")
        self._run("histories", "Customers over time")

    def _destination(self) -> None:
        exports = {"layer": self._layer("service"), "name": "exports", "description": "For whoever reads spreadsheets."}
        volume = self._ensure(people.EMIL, "volumes", "exports", exports)
        body = {
            "name": "Sales for finance",
            "table_id": self._table("service", "daily_sales"),
            "target": {"type": "file", "volume_id": volume, "path": "daily-sales-{date}.xlsx", "format": "xlsx"},
        }
        self._ensure(people.EMIL, "lakehouse-destinations", "Sales for finance", body)
        self._run("lakehouse-destinations", "Sales for finance")

    def _saved(self) -> None:
        body = {"name": "Best shops of the week", "sql": BEST_SHOPS.strip(), "shared": True, "chart": {}}
        self._ensure(people.BEN, "saved-queries", "Best shops of the week", body)
        if not self._get(people.OLIVIA, "queries")["items"]:  # she wants to know, too
            _told(self._call(people.OLIVIA, "POST", "queries", json={"sql": body["sql"]}))

    def _triggers(self) -> None:
        sales, customers = self._subject("sources", "Shop sales"), self._subject("sources", "Loyalty customers")
        clean, daily = (
            self._subject("pipeline-queries", "Clean sales"),
            self._subject("pipeline-queries", "Sales by day"),
        )
        if self._get(people.EMIL, "triggers")["items"]:
            return
        for body in (
            {"subject": sales, "cron": "30 5 * * *", "time_zone": "Europe/London"},
            {"subject": clean, "after": [sales]},
            {"subject": daily, "after": [clean]},
            {"subject": self._subject("lakehouse-destinations", "Sales for finance"), "after": [daily]},
            {"subject": customers, "cron": "0 6 * * MON", "time_zone": "Europe/London"},
            {"subject": self._subject("histories", "Customers over time"), "after": [customers]},
        ):
            _told(self._call(people.EMIL, "POST", "triggers", json=body))

    # How it is done --------------------------------------------------------------------------------------------------

    def _source(self, name: str, format_: str, streams: Mapping[str, dict[str, Any]], description: str) -> None:
        volume = self._find(people.EMIL, "volumes", "landing")
        self._ensure(
            people.EMIL,
            "sources",
            name,
            {
                "name": name,
                "description": description,
                "connection": {"type": "files", "volume_id": volume, "format": format_},
                "output_layer_id": self._layer("raw"),
                "streams": [{"name": stream, "settings": settings} for stream, settings in streams.items()],
            },
        )

    def _query(self, name: str, sql: str, layer: str, table: str, expectations: list[dict[str, Any]]) -> None:
        body = {
            "name": name,
            "sql": sql.strip(),
            "expectations": expectations,
            "output_layer_id": self._layer(layer),
            "output_name": table,
        }
        self._ensure(people.EMIL, "pipeline-queries", name, body)
        self._run("pipeline-queries", name)

    def _run(self, what: str, name: str) -> None:
        self._until_ended(people.EMIL, self._start(people.EMIL, what, name))

    def _subject(self, what: str, name: str) -> dict[str, str | None]:
        return {"type": "pipeline", "id": self._find(people.EMIL, what, name)}

    def _layer(self, name: str) -> str:
        return self._find(people.ADA, "layers", name) or ""

    def _table(self, layer: str, name: str) -> str:
        for table in self._get(people.ADA, "tables", search=name)["items"]:
            if table["full_name"] == f"{layer}.{name}":
                return str(table["id"])
        raise RuntimeError(f"{layer}.{name} is not there.")

    def _grant(
        self, actor: Person, what: str, id_: str, *, level: str, group: str | None = None, member: Person | None = None
    ) -> None:
        holder = {"group": self._find(actor, "groups", group)} if group else {"member": member.email if member else ""}
        answer = self._call(actor, "POST", f"{what}/{id_}/grants", json={**holder, "level": level})
        if answer.status_code != 409:  # given already
            _told(answer)

    def _upload(self, volume: str, path: Path) -> None:
        name = path.relative_to(self._files).as_posix()
        answer = self._call(
            people.EMIL, "PUT", f"volumes/{volume}/files/{name}", params={"overwrite": True}, content=path.read_bytes()
        )
        _told(answer)

    def _ensure(self, actor: Person, what: str, name: str, body: Mapping[str, Any]) -> str:
        """The id of what has this name; made if it is not there."""
        found = self._find(actor, what, name)
        if found is None:
            answer = self._call(actor, "POST", what, json=body)
            _told(answer)
            found = str(answer.json()["id"])
        return found

    def _find(self, actor: Person, what: str, name: str | None) -> str | None:
        key = f"{what}/{name}"
        if key not in self._ids:
            for item in self._get(actor, what, search=name)["items"]:
                if item["name"] == name:
                    self._ids[key] = str(item["id"])
        return self._ids.get(key)

    def _start(self, actor: Person, what: str, name: str) -> str:
        answer = self._call(actor, "POST", f"{what}/{self._find(actor, what, name)}/runs")
        _told(answer)
        return str(answer.json()["run_id"])

    def _until_ended(self, actor: Person, run: str) -> None:
        def ended() -> bool:
            found = self._get(actor, f"runs/{run}")
            if found["state"] in ("failed", "cancelled", "restricted"):
                raise RuntimeError(
                    f"{found['subject']['name']}: {(found['problem'] or {}).get('message', 'it failed')}"
                )
            return bool(found["state"] == "succeeded")

        self._wait(ended)

    def _wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not until():
            if time.monotonic() > end:
                raise RuntimeError("It took too long.")
            time.sleep(LOOK_EVERY_SECONDS)

    def _get(self, actor: Person, path: str, **query: Any) -> Any:
        answer = self._call(actor, "GET", path, params={key: value for key, value in query.items() if value})
        return _told(answer).json()

    def _call(self, actor: Person, method: str, path: str, **more: Any) -> httpx.Response:
        return self._client.request(method, path, headers={"Authorization": f"Bearer {self._secrets[actor]}"}, **more)


def _files(pattern: str, **more: Any) -> dict[str, Any]:
    return {"read": {"type": "files", "pattern": pattern}, **more}


def _told(answer: httpx.Response) -> httpx.Response:
    """The answer, if it is a good one."""
    if answer.is_error:
        raise RuntimeError(f"{answer.request.method} {answer.request.url.path}: {answer.json().get('detail', '')}")
    return answer
