from pydantic_ai import Agent, ModelHTTPError
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from checks import *


def create(kind, model, key=KEY, **options):
    if kind == "messages":
        chosen = AnthropicModel(model, provider=AnthropicProvider(api_key=key, base_url=ORIGIN))
    else:
        provider = OpenAIProvider(api_key=key, base_url=BASE_URL)
        chosen = (OpenAIChatModel if kind == "chat" else OpenAIResponsesModel)(model, provider=provider)
    return Agent(chosen, retries=0, **options)


for kind in ("chat", "responses", "messages"):

    async def plain(model, kind=kind):
        expect_hello((await create(kind, model).run(HELLO)).output)

    async def streamed(model, kind=kind):
        async with create(kind, model).run_stream(HELLO) as result:
            expect_hello(await result.get_output())

    async def tools(model, kind=kind):
        agent = create(kind, model)
        agent.tool_plain(get_weather)
        expect_weather((await agent.run(QUESTION)).output)

    async def structured(model, kind=kind):
        expect_place((await create(kind, model, output_type=Place).run(HELLO)).output)

    for function in (plain, streamed, tools, structured):
        function.__name__ = f"{kind}_{function.__name__}"
        check()(function)


async def refuse(model, key):
    await create("chat", model, key).run(HELLO)


check_errors({key: ModelHTTPError for key in ("unknown", "broke", "narrow")}, refuse)
run()
