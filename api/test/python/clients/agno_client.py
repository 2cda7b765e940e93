from agno.agent import Agent
from agno.models.anthropic import Claude
from agno.models.openai import OpenAIChat, OpenAIResponses
from checks import *


def create(kind, model, key=KEY, **options):
    if kind == "messages":
        chosen = Claude(id=model, api_key=key, client_params={"base_url": ORIGIN})
    else:
        chosen = (OpenAIChat if kind == "chat" else OpenAIResponses)(id=model, api_key=key, base_url=BASE_URL)
    return Agent(model=chosen, telemetry=False, **options)


for kind in ("chat", "responses", "messages"):

    def plain(model, kind=kind):
        expect_hello(create(kind, model).run(HELLO).content)

    def streamed(model, kind=kind):
        events = create(kind, model).run(HELLO, stream=True)
        expect_hello("".join(event.content or "" for event in events if getattr(event, "event", "") == "RunContent"))

    def tools(model, kind=kind):
        expect_weather(create(kind, model, tools=[get_weather]).run(QUESTION).content)

    def structured(model, kind=kind):
        expect_place(create(kind, model, output_schema=Place).run(HELLO).content)

    for function in (plain, streamed, tools, structured):
        function.__name__ = f"{kind}_{function.__name__}"
        check()(function)

run()
