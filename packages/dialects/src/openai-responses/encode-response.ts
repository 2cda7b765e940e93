import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionResponse, TokenLogprob } from '@tollgate/core/completion/response';
import type { AnswerContext } from '../answer-context.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { getCalledTools, type FindTool } from '../portable-tools/called-tools.ts';
import { carryItem } from './carried/item-id.ts';
import { encodeEnvelope, idStem } from './envelope.ts';
import { encodeOpenAiResponsesUsage } from './encode-usage.ts';
import { encodeFinish, getKinds } from './finish.ts';
import { encodeLogprobs, takeTokens } from './logprobs.ts';
import { callItem, messageContent, messageItem, type ItemStatus } from './output-item.ts';
import { encodeResponseReasoning } from './reasoning-item.ts';
import { toServiceTier } from './service-tier.ts';

/**
 * Writes a response for a caller of this dialect (https://platform.openai.com/docs/api-reference/responses/object). The
 * dialect has room for one answer: others are left out, as its requests cannot request more.
 */
export function encodeOpenAiResponsesResponse(
  response: CompletionResponse,
  context: AnswerContext,
): JsonObject {
  const [choice] = response.choices;
  const content = choice?.content ?? [];
  const finish = encodeFinish(choice?.finish ?? { type: 'stop' }, getKinds(content));
  const tier = response.serviceTier === null ? null : toServiceTier(response.serviceTier);
  return {
    ...encodeEnvelope(response, context),
    ...finish,
    ...(finish.status === 'completed' ? { completed_at: context.nowSeconds } : {}),
    output: carried(
      encodeOutput(content, {
        stem: idStem(context.requestId),
        status: finish.status,
        tokens: [...(choice?.logprobs ?? [])],
        findTool: getCalledTools(context.requestBody),
      }),
      context,
    ),
    ...(tier !== null && { service_tier: tier }),
    ...(response.usage === null ? {} : { usage: encodeOpenAiResponsesUsage(response.usage) }),
  };
}

function carried(output: JsonObject[], { carriesItems }: AnswerContext): JsonObject[] {
  return carriesItems === true ? output.map(carryItem) : output;
}

/** Writes what the model made, item by item; text and refusals that follow one another are one message. */
function encodeOutput(
  parts: readonly AssistantPart[],
  {
    stem,
    status,
    tokens,
    findTool,
  }: { stem: string; status: ItemStatus; tokens: TokenLogprob[]; findTool: FindTool },
): JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] | null = null;
  for (const [index, part] of parts.entries()) {
    // Of an answer that was cut off, only the last item is incomplete.
    const state = index === parts.length - 1 ? status : 'completed';
    if (part.type === 'text' || part.type === 'refusal') {
      if (content === null) {
        content = [];
        items.push(messageItem(`msg_${stem}_${items.length}`, state, content));
      }
      content.push(
        messageContent(part, part.type === 'text' ? encodeLogprobs(takeTokens(part.text, tokens)) : []),
      );
      const last = items.at(-1);
      if (last !== undefined) last['status'] = state;
      continue;
    }
    const item = encodeItem(part, { stem, index: items.length, status: state, findTool });
    if (item === null) continue;
    items.push(item);
    content = null;
  }
  return items;
}

function encodeItem(
  part: Exclude<AssistantPart, { type: 'text' | 'refusal' }>,
  { stem, index, status, findTool }: { stem: string; index: number; status: ItemStatus; findTool: FindTool },
): JsonObject | null {
  switch (part.type) {
    case 'thinking':
    case 'redacted_thinking':
      return encodeResponseReasoning(part, `rs_${stem}_${index}`);
    case 'tool_call': {
      const id = part.id === '' ? `call_${stem}_${index}` : part.id;
      return callItem(`fc_${stem}_${index}`, status, { ...part, id }, findTool(part.name));
    }
    case 'opaque':
      return part.dialect === 'openai-responses' ? { ...part.value } : null;
  }
}
