"""What the shops of Fernhill Foods send: files as they come in real life, some dirty and some late.

The same seed and day make the same files, and what is wrong in them is counted, so that tests know what to expect."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

SHOPS = (
    *("Aldgate", "Bankside", "Camden", "Dalston", "Ealing", "Fulham", "Greenwich", "Hackney", "Islington", "Kew"),
    *("Leeds", "Manchester", "Norwich", "Oxford", "Plymouth", "Quorn", "Reading", "Sheffield", "Truro", "York"),
)
FOODS = {
    "Bakery": ("Sourdough loaf", "Rye loaf", "Oat biscuits", "Cinnamon bun", "Flatbread"),
    "Dairy": ("Whole milk", "Butter", "Cheddar", "Greek yoghurt", "Oat drink"),
    "Produce": ("Carrots", "Apples", "Spinach", "Potatoes", "Pears", "Leeks"),
    "Pantry": ("Red lentils", "Basmati rice", "Olive oil", "Rolled oats", "Honey", "Tomato passata"),
    "Frozen": ("Garden peas", "Fish fingers", "Mixed berries", "Vanilla ice cream"),
}
SIZES = ("small", "regular", "large", "family")
TOWNS = ("London", "Leeds", "Manchester", "Norwich", "Oxford", "York")
TIERS = ("basic", "silver", "gold")
FIRST = (
    "Alice",
    "Bilal",
    "Cora",
    "Dev",
    "Elsa",
    "Finn",
    "Gwen",
    "Hana",
    "Iris",
    "Jack",
    "Kofi",
    "Lena",
    "Milo",
    "Nell",
)
LAST = (
    "Archer",
    "Bell",
    "Clarke",
    "Dunn",
    "Ellis",
    "Ford",
    "Grant",
    "Hughes",
    "Irwin",
    "Jones",
    "Khan",
    "Lowe",
    "Moss",
)
CARRIERS = ("Northline", "Swift & Son", "Harbour Freight")

DAYS = 30
SALES_A_DAY = 8_000
CUSTOMERS = 4_000
DELIVERIES = 12_000
DIRTY_ONE_IN = 400
LATE_ONE_IN = 60
CORRUPT_DELIVERIES = 25


@dataclass
class Delivered:
    """What was written, and how much of it is wrong."""

    sales: int = 0
    bad_sales: int = 0
    late_sales: int = 0
    deliveries: int = 0
    bad_deliveries: int = 0
    products: int = 0
    shops: int = 0
    customers: dict[str, int] = field(default_factory=dict)


def write_files(
    folder: Path, last_day: date, seed: int = 1, *, days: int = DAYS, a_day: int = SALES_A_DAY
) -> Delivered:
    """Everything the company has sent until the end of this day."""
    chance = random.Random(seed)  # noqa: S311 - for a made-up company, the same one every time
    found = Delivered()
    products = list(_products())
    folder.mkdir(parents=True, exist_ok=True)
    _write_shops(folder / "shops.xlsx")
    found.shops = len(SHOPS)
    _write_products(folder / "products.parquet", products)
    found.products = len(products)
    for back in reversed(range(days)):
        _write_sales(folder / "sales", last_day - timedelta(days=back), products, a_day, chance, found)
    _write_deliveries(folder / "deliveries.jsonl", last_day, products, chance, found)
    return found


def write_customers(folder: Path, week: int, seed: int = 1) -> int:
    """The loyalty programme's customers as they stood in a week: some moved, rose, joined or left since the last."""
    people = list(_customers(week, seed))
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "customers.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["customer_id", "name", "town", "tier"])
        writer.writeheader()
        writer.writerows(people)
    return len(people)


def _products() -> Iterator[dict[str, Any]]:
    number = 100
    for category, names in FOODS.items():
        for name in names:
            for size, dearer in zip(SIZES, (0.8, 1.0, 1.6, 2.4), strict=True):
                number += 1
                price = round((0.9 + (number % 17) * 0.35) * dearer, 2)
                yield {
                    "product_id": f"P{number}",
                    "name": f"{name}, {size}",
                    "category": category,
                    "list_price": price,
                }


def _write_shops(path: Path) -> None:
    import xlsxwriter

    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet("shops")
    sheet.write_row(0, 0, ["shop_id", "name", "opened", "square_metres"])
    for row, name in enumerate(SHOPS, start=1):
        sheet.write_row(row, 0, [f"S{row:02}", name, f"{1998 + row}-03-01", 180 + row * 37 % 900])
    book.close()


def _write_products(path: Path, products: list[dict[str, Any]]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist(products), path)


def _write_sales(
    folder: Path, day: date, products: list[dict[str, Any]], a_day: int, chance: random.Random, found: Delivered
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"sales-{day.isoformat()}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["receipt", "sold_on", "shop_id", "product_id", "customer_id", "quantity", "price"])
        for number in range(a_day):
            product = products[int(chance.random() ** 2 * len(products))]
            quantity: object = 1 + int(chance.random() ** 3 * 6)
            price: object = product["list_price"]
            sold_on: object = day.isoformat()
            customer = f"C{chance.randrange(CUSTOMERS):05}" if chance.random() < 0.4 else ""
            if chance.randrange(LATE_ONE_IN) == 0:  # a till that was offline for some days
                sold_on = (day - timedelta(days=chance.randint(1, 4))).isoformat()
                found.late_sales += 1
            if chance.randrange(DIRTY_ONE_IN) == 0:
                found.bad_sales += 1
                wrong = chance.randrange(3)
                if wrong == 0:
                    quantity = "two"
                elif wrong == 1:
                    price = f"£{price}"
                else:
                    sold_on = "yesterday"
            shop = f"S{1 + int(chance.random() ** 1.5 * len(SHOPS)):02}"
            writer.writerow(
                [f"{day:%y%m%d}-{number:05}", sold_on, shop, product["product_id"], customer, quantity, price]
            )
            found.sales += 1


def _write_deliveries(
    path: Path, last_day: date, products: list[dict[str, Any]], chance: random.Random, found: Delivered
) -> None:
    corrupt = set(chance.sample(range(DELIVERIES), CORRUPT_DELIVERIES))
    with path.open("w", encoding="utf-8") as file:
        for number in range(DELIVERIES):
            promised = last_day - timedelta(days=chance.randrange(DAYS))
            late = max(0, int(chance.gauss(0.3, 1.6)))
            line = json.dumps(
                {
                    "delivery_id": f"D{number:06}",
                    "shop_id": f"S{chance.randint(1, len(SHOPS)):02}",
                    "product_id": chance.choice(products)["product_id"],
                    "carrier": chance.choice(CARRIERS),
                    "promised_on": promised.isoformat(),
                    "arrived_on": (promised + timedelta(days=late)).isoformat(),
                    "crates": chance.randint(1, 40),
                }
            )
            if number in corrupt:
                line = line[: len(line) // 2]  # the carrier's system stopped in the middle
                found.bad_deliveries += 1
            file.write(line + "\n")
            found.deliveries += 1


def _customers(week: int, seed: int) -> Iterator[dict[str, str]]:
    for number in range(CUSTOMERS + week * 60):  # some join every week
        chance = random.Random(f"{seed} {number}")  # noqa: S311 - as above
        person = {
            "customer_id": f"C{number:05}",
            "name": f"{chance.choice(FIRST)} {chance.choice(LAST)}",
            "town": chance.choice(TOWNS),
            "tier": TIERS[0],
        }
        gone = False
        for passed in range(1, week + 1):
            chance = random.Random(f"{seed} {number} {passed}")  # noqa: S311 - as above
            if chance.random() < 0.02:
                person["town"] = chance.choice(TOWNS)
            if chance.random() < 0.05:
                person["tier"] = TIERS[min(TIERS.index(person["tier"]) + 1, len(TIERS) - 1)]
            gone = gone or chance.random() < 0.01
        if not gone:
            yield person
