import type { AssistantPart, DocumentPart, UserPart } from '@tollgate/core/completion/content';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import {
  arbitraryAudioPart,
  arbitraryBase64,
  arbitraryCache,
  arbitraryDocumentPart,
  arbitraryImagePart,
  arbitraryJsonObject,
  arbitraryName,
  arbitraryProse,
  arbitraryRedactedThinkingPart,
  arbitraryRefusalPart,
  arbitraryTextPart,
  arbitraryThinkingPart,
  arbitraryToolCallPart,
  arbitraryUrl,
  orNull,
} from '@tollgate/testing/arbitrary-completion-content';
import {
  arbitraryCompletionRequest,
  arbitraryConversation,
  arbitraryJsonSchemaFormat,
  arbitraryReasoning,
  arbitrarySampling,
  arbitraryTool,
} from '@tollgate/testing/arbitrary-completion-request';
import fc from 'fast-check';
import { NO_QUIRKS, type ProviderQuirks } from './quirks/provider-quirks.ts';

/** A provider that takes all that anyone takes in this dialect. */
export const RICH: ProviderQuirks = {
  ...NO_QUIRKS,
  reasoningMember: 'reasoning',
  reasoningField: 'reasoning_details',
  takesCacheControl: true,
  takesTopK: true,
  takesFileUrls: true,
  maxStopSequences: null,
};

const of = <const T>(value: T) => fc.constant(value);

/** Parts and requests that a provider with these quirks can express without loss. */
export function arbitraryRequestFor(quirks: ProviderQuirks): fc.Arbitrary<CompletionRequest> {
  const cache = quirks.takesCacheControl ? arbitraryCache : of(null);
  const text = arbitraryTextPart({ cache });
  const conversation = arbitraryConversation({
    system: text,
    user: userPart(cache, quirks.takesFileUrls),
    toolResult: text,
    isError: of(false),
    toolCache: cache,
    assistant: text,
  });
  // Each assistant's turn anew, in the order of this dialect: text, refusal and calls, reasoning in between.
  const turns = conversation.chain((messages) =>
    fc.tuple(
      ...messages.map((message) =>
        message.role === 'assistant'
          ? assistantParts(quirks, cache).map((content) => ({ ...message, content }))
          : of(message),
      ),
    ),
  );
  const tier = fc.constantFrom('auto', 'default', 'flex', 'priority', null);
  const schema = arbitraryJsonSchemaFormat({ name: arbitraryName });
  const plain = fc.record({ type: fc.constantFrom('text' as const, 'json_object' as const) });
  const effort = fc.record({ type: of('effort'), effort: fc.constantFrom('none', 'low', 'xhigh', 'max') });
  return arbitraryCompletionRequest({
    messages: turns,
    tools: fc.array(arbitraryTool({ cache }), { maxLength: 2 }),
    hostedTools: fc.array(hostedTool, { maxLength: 1 }),
    outputFormat: fc.oneof(plain, schema),
    sampling: quirks.takesTopK ? arbitrarySampling() : arbitrarySampling({ topK: of(null) }),
    reasoning: orNull(quirks.reasoningMember === 'reasoning' ? arbitraryReasoning : effort),
    serviceTier: tier,
    extra: fc.record({ store: fc.boolean(), prediction: arbitraryJsonObject }, { requiredKeys: [] }),
  }).map((request) => ({ ...request, ...fitUse(request), wantsStreamUsage: request.stream }));
}

/** Without tools, this dialect says nothing of their use. */
function fitUse({ tools, hostedTools, toolChoice, parallelToolCalls }: CompletionRequest) {
  if (tools.length > 0 || hostedTools.some(({ name }) => name === 'custom'))
    return { toolChoice, parallelToolCalls };
  return { toolChoice: null, parallelToolCalls: null };
}

const hostedTool = fc.oneof(
  arbitraryJsonObject.map((rest) => ({
    dialect: 'openai-chat',
    name: 'custom',
    value: { type: 'custom', ...rest },
  })),
  arbitraryJsonObject.map((value) => ({ dialect: 'openai-chat', name: 'web_search_options', value })),
);

function userPart(cache: typeof arbitraryCache, takesFileUrls: boolean): fc.Arbitrary<UserPart> {
  const base64 = (mediaType: string) =>
    arbitraryBase64.map((data) => ({ kind: 'base64' as const, mediaType, data }));
  const url = arbitraryUrl.map((address) => ({ kind: 'url' as const, url: address }));
  const pdf = base64('application/pdf');
  const document = (source: fc.Arbitrary<DocumentPart['source']>, title: fc.Arbitrary<string | null>) =>
    arbitraryDocumentPart({ source, title, context: of(null), citable: of(false), cache });
  return fc.oneof(
    arbitraryTextPart({ cache }),
    arbitraryImagePart({ source: fc.oneof(base64('image/png'), url), cache }),
    document(takesFileUrls ? fc.oneof(pdf, url) : pdf, arbitraryProse),
    document(
      arbitraryName.map((fileId) => ({ kind: 'file', fileId })),
      of(null),
    ),
    arbitraryAudioPart,
    arbitraryJsonObject.map((rest) => ({
      type: 'opaque' as const,
      dialect: 'openai-chat',
      name: 'video_url',
      value: { type: 'video_url', ...rest },
    })),
  );
}

function assistantParts(quirks: ProviderQuirks, cache: typeof arbitraryCache): fc.Arbitrary<AssistantPart[]> {
  const reasoning = fc.oneof(arbitraryThinkingPart(), arbitraryRedactedThinkingPart);
  const placed = fc.array(fc.tuple(reasoning, fc.nat(9)), {
    maxLength: quirks.reasoningField === 'reasoning_details' ? 2 : 0,
  });
  return fc
    .tuple(
      fc.array(arbitraryTextPart({ cache }), { minLength: 1, maxLength: 2 }),
      fc.array(arbitraryRefusalPart, { maxLength: 1 }),
      fc.array(arbitraryToolCallPart({ cache }), { maxLength: 2 }),
      placed,
    )
    .map(([texts, refusals, calls, placed]) => {
      const parts: AssistantPart[] = [...texts, ...refusals, ...calls];
      for (const [part, place] of placed) parts.splice(place % (parts.length + 1), 0, part);
      return parts;
    });
}
