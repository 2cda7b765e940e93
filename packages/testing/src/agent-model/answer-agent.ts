import type { IncomingHttpHeaders } from 'node:http';
import type { EncodedChunk } from '../fake-provider/encoded-chunk.ts';
import type { CompletionRequest } from '../fake-provider/parse-completion-request.ts';
import type { FakeDialect } from '../fake-provider/script.ts';
import type { AgentScript, ReasoningStyle } from './agent-script.ts';
import { checkChatRequest } from './check-chat-request.ts';
import { checkMessagesRequest } from './check-messages-request.ts';
import { encodeChatAnswer, encodeChatStream } from './encode-chat-answer.ts';
import { encodeMessagesAnswer, encodeMessagesStream } from './encode-messages-answer.ts';
import { planAnswer } from './plan-answer.ts';
import { readChatRequest } from './read-chat-request.ts';
import { readMessagesRequest } from './read-messages-request.ts';
import type { Refusal } from './seen-conversation.ts';

/** The response of the agent's model, with the provider's status. */
export interface AgentReply {
  status: number;
  chunks: EncodedChunk[];
}

/** Responds to a request by the script, or refuses it like the provider. */
export function answerAgent(
  dialect: FakeDialect,
  request: CompletionRequest,
  { script, headers }: { script: AgentScript; headers: IncomingHttpHeaders },
): AgentReply {
  const { body, isStream, includesUsage } = request;
  const style = script.reasoning ?? 'none';
  const isMessages = dialect === 'anthropic-messages';
  const refusal = isMessages ? checkMessagesRequest(body, headers) : checkChatRequest(body, style);
  if (refusal !== null) return { status: 400, chunks: [refuse(refusal, isMessages ? null : style)] };
  const facts = {
    model: request.model ?? '',
    inputBytes: Buffer.byteLength(JSON.stringify(request.messages)),
  };
  const answer = planAnswer(
    script,
    isMessages ? readMessagesRequest(body) : readChatRequest(body, style),
    facts,
  );
  if (isMessages)
    return { status: 200, chunks: isStream ? encodeMessagesStream(answer) : encodeMessagesAnswer(answer) };
  const chunks = isStream ? encodeChatStream(answer, style, includesUsage) : encodeChatAnswer(answer, style);
  return { status: 200, chunks };
}

/** @param style of a chat completion provider; null: Anthropic */
function refuse({ message, param, code }: Refusal, style: ReasoningStyle | null): EncodedChunk {
  const type = 'invalid_request_error';
  const body = () => {
    if (style === null) return { type: 'error', error: { type, message }, request_id: 'req_fake0001' };
    // Google's error body is a list.
    if (style === 'gemini') return [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }];
    return { error: { message, type, param, code } };
  };
  return { bytes: Buffer.from(JSON.stringify(body())), outputTokens: 0, usage: null };
}
