import anthropic
import instructor
import openai
from checks import *

openai_client = openai.OpenAI(base_url=BASE_URL, api_key=KEY, max_retries=0)
anthropic_client = anthropic.Anthropic(base_url=ORIGIN, api_key=KEY, max_retries=0)
ASK = {"messages": [{"role": "user", "content": HELLO}], "response_model": Place, "max_retries": 0}


@check()
def chat_tools(model):
    expect_place(instructor.from_openai(openai_client).chat.completions.create(model=model, **ASK))


@check()
def chat_json(model):
    client = instructor.from_openai(openai_client, mode=instructor.Mode.JSON_SCHEMA)
    expect_place(client.chat.completions.create(model=model, **ASK))


@check()
def messages_tools(model):
    client = instructor.from_anthropic(anthropic_client)
    expect_place(client.messages.create(model=model, max_tokens=500, **ASK))


run()
