"""What every client is asked, and how its checks are reported: one JSON object per line."""

import asyncio
import inspect
import json
import os
import time
import traceback
import warnings

from pydantic import BaseModel

BASE_URL = os.environ["BASE_URL"]
ORIGIN = BASE_URL.removesuffix("/v1")
# By their use: good, unknown, broke, narrow, busy.
KEYS = json.loads(os.environ["KEYS"])
KEY = KEYS["good"]
MODELS = json.loads(os.environ["MODELS"])
QUESTION = "What is the weather in Oslo and in Rome?"
HELLO = "Hello"


class Place(BaseModel):
    """Where something is."""

    city: str
    km: int


def get_weather(city: str) -> str:
    """Returns the weather of a city.

    Args:
        city: Name of the city.
    """
    return f"{len(city) * 3} degrees in {city}"


CITY_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def expect_weather(text):
    for part in ("12 degrees in Oslo", "12 degrees in Rome"):
        assert part in text, text


def expect_hello(text):
    assert "I am done." in text, text


def expect_place(place):
    assert isinstance(place, Place), place
    assert (place.city, place.km) == ("sample", 1), place


_checks = []


def check(*models):
    """Registers a check for each model."""

    def register(function):
        for model in models or MODELS:
            _checks.append((function.__name__, model, function))
        return function

    return register


def check_errors(statuses, call):
    """Registers checks that a call with each key raises the class for its status."""
    for key, error in statuses.items():

        async def refuse(model, key=key, error=error):
            try:
                # The first call of a minute is in the rate limit.
                for _ in range(2 if key == "busy" else 1):
                    result = call(model, KEYS[key])
                    if inspect.isawaitable(result):
                        await result
            except error as raised:
                assert "Tollgate" in str(raised) or key in ("narrow",), raised
                return
            raise AssertionError(f"{key}: nothing was raised")

        _checks.append((f"error_{key}", MODELS[0], refuse))


def run():
    async def run_all():
        for name, model, function in _checks:
            started = time.monotonic()
            error = None
            try:
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", UserWarning)
                    result = function(model)
                    if inspect.isawaitable(result):
                        await result
                serious = [str(each.message) for each in caught if "Pydantic serializer" in str(each.message)]
                assert not serious, serious
            except Exception:
                error = traceback.format_exc(limit=-4)
            seconds = round(time.monotonic() - started, 2)
            print("\n" + json.dumps({"check": name, "model": model, "seconds": seconds, "error": error}), flush=True)

    asyncio.run(run_all())
