import openai
from checks import *
from openai.types.conversations import Conversation, ConversationDeletedResource, ConversationItemList
from openai.types.responses import CompactedResponse, Response

client = openai.OpenAI(base_url=BASE_URL, api_key=KEY, max_retries=0)


def strictly(type_of, value):
    """Checks a value as the SDK's own types do, without conversions."""
    type_of.model_validate_json(value.model_dump_json(exclude_unset=True), strict=True)
    return value


def wait_for_end(response):
    deadline = time.monotonic() + 20
    while response.status in ("queued", "in_progress") and time.monotonic() < deadline:
        time.sleep(0.05)
        response = strictly(Response, client.responses.retrieve(response.id))
    return response


@check()
def background(model):
    queued = strictly(Response, client.responses.create(model=model, input=HELLO, background=True))
    assert (queued.status, queued.background) == ("queued", True), queued
    ended = wait_for_end(queued)
    assert (ended.id, ended.status) == (queued.id, "completed"), ended
    expect_hello(ended.output_text)
    assert client.responses.cancel(queued.id).status == "completed"


@check()
def cancelled(model):
    queued = client.responses.create(model=model, input=HELLO, background=True)
    ended = strictly(Response, client.responses.cancel(queued.id))
    assert ended.status in ("cancelled", "completed"), ended
    client.responses.delete(queued.id)
    try:
        client.responses.retrieve(queued.id)
    except openai.NotFoundError:
        return
    raise AssertionError("It still exists")


@check()
def conversations(model):
    message = {"type": "message", "role": "user", "content": HELLO}
    created = strictly(Conversation, client.conversations.create(items=[message], metadata={"topic": "demo"}))
    assert created.metadata == {"topic": "demo"}, created
    answer = strictly(Response, client.responses.create(model=model, input=HELLO, conversation=created.id))
    assert answer.conversation.id == created.id, answer
    items = client.conversations.items
    listed = list(items.list(created.id, order="asc", limit=2))
    assert len(listed) >= 3, listed
    assert items.retrieve(listed[0].id, conversation_id=created.id) == listed[0]
    strictly(Conversation, items.delete(listed[0].id, conversation_id=created.id))
    assert list(items.list(created.id, order="asc")) == listed[1:]
    strictly(ConversationItemList, items.create(created.id, items=[message]))
    strictly(Conversation, client.conversations.update(created.id, metadata={}))
    assert client.conversations.retrieve(created.id).metadata == {}
    strictly(ConversationDeletedResource, client.conversations.delete(created.id))


@check()
def compacted(model):
    first = client.responses.create(model=model, input=HELLO)
    history = [{"role": "user", "content": HELLO}, *[item.model_dump(exclude_none=True) for item in first.output]]
    compaction = client.responses.compact(model=model, input=history)
    assert [item.type for item in compaction.output] == ["message", "compaction"], compaction
    strictly(CompactedResponse.model_fields["usage"].annotation, compaction.usage)
    # Its types know only messages of the assistant.
    output = [item.model_dump(exclude_none=True, warnings=False) for item in compaction.output]
    again = [*output, {"role": "user", "content": HELLO}]
    expect_hello(client.responses.create(model=model, input=again).output_text)


run()
