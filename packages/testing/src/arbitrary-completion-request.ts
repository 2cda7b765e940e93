import type { AssistantPart, TextPart, ToolResultContent, UserPart } from '@tollgate/core/completion/content';
import {
  REASONING_EFFORTS,
  type CompletionRequest,
  type HostedTool,
  type Message,
  type OutputFormat,
  type Reasoning,
  type Sampling,
  type ToolChoice,
  type ToolDefinition,
} from '@tollgate/core/completion/request';
import fc from 'fast-check';
import {
  arbitraryAssistantPart,
  arbitraryCache,
  arbitraryJsonObject,
  arbitraryName,
  arbitraryProse,
  arbitraryRecord,
  arbitraryTextPart,
  arbitraryToolResultContent,
  arbitraryUserPart,
  orNull,
  type Fields,
} from './arbitrary-completion-content.ts';

export interface ConversationParts {
  system: fc.Arbitrary<TextPart>;
  user: fc.Arbitrary<UserPart>;
  assistant: fc.Arbitrary<AssistantPart>;
  toolResult: fc.Arbitrary<ToolResultContent>;
  /** Names on user and assistant messages. */
  name: fc.Arbitrary<string | null>;
  isError: fc.Arbitrary<boolean>;
  /** Cache marker on the whole tool message. */
  toolCache: fc.Arbitrary<Extract<Message, { role: 'tool' }>['cache']>;
  systemKind: fc.Arbitrary<'system' | 'developer'>;
  /** Maximum number of leading system messages. */
  leadingSystems: number;
  /** True if system messages may follow later. */
  systemsInside: boolean;
}

const EVERYTHING: ConversationParts = {
  system: arbitraryTextPart(),
  user: arbitraryUserPart,
  assistant: arbitraryAssistantPart,
  toolResult: arbitraryToolResultContent,
  name: orNull(arbitraryName),
  isError: fc.boolean(),
  toolCache: arbitraryCache,
  systemKind: fc.constantFrom('system', 'developer'),
  leadingSystems: 2,
  systemsInside: true,
};

const few = <T>(arbitrary: fc.Arbitrary<T>, minLength = 1) =>
  fc.array(arbitrary, { minLength, maxLength: 3 });

/**
 * A conversation as decoders return it: system messages first, then turns of the caller (tool results, then user text)
 * that alternate with the assistant's, the last one the caller's. Tool results match calls only by chance.
 */
export function arbitraryConversation(narrowed: Partial<ConversationParts> = {}): fc.Arbitrary<Message[]> {
  const parts = { ...EVERYTHING, ...narrowed };
  const system: fc.Arbitrary<Message> = fc.record({
    role: fc.constant('system' as const),
    kind: parts.systemKind,
    content: few(parts.system),
  });
  const user: fc.Arbitrary<Message> = fc.record({
    role: fc.constant('user' as const),
    name: parts.name,
    content: few(parts.user),
  });
  const assistant: fc.Arbitrary<Message> = fc.record({
    role: fc.constant('assistant' as const),
    name: parts.name,
    content: few(parts.assistant),
  });
  const tool: fc.Arbitrary<Message> = fc.record({
    role: fc.constant('tool' as const),
    callId: arbitraryName.map((name) => `call_${name}`),
    content: few(parts.toolResult),
    isError: parts.isError,
    cache: parts.toolCache,
  });
  const caller = fc.oneof(
    fc.tuple(user),
    fc
      .tuple(fc.array(tool, { minLength: 1, maxLength: 2 }), fc.array(user, { maxLength: 1 }))
      .map(([tools, users]): Message[] => [...tools, ...users]),
  );
  const inside: fc.Arbitrary<Message[]> = parts.systemsInside
    ? fc.oneof({ weight: 3, arbitrary: fc.constant<Message[]>([]) }, fc.tuple(system))
    : fc.constant<Message[]>([]);
  return fc
    .tuple(
      fc.array(system, { maxLength: parts.leadingSystems }),
      fc.array(fc.tuple(caller, inside, fc.tuple(assistant)), { maxLength: 2 }),
      caller,
    )
    .map(([systems, turns, last]) => [...systems, ...turns.flat(2), ...last]);
}

export const arbitrarySchema: fc.Arbitrary<Record<string, unknown>> = fc
  .dictionary(arbitraryName, fc.constantFrom({ type: 'string' }, { type: 'integer' }), { maxKeys: 3 })
  .map((properties) => ({
    type: 'object',
    properties: JSON.parse(JSON.stringify(properties)) as unknown,
    required: Object.keys(properties),
    additionalProperties: false,
  }));

export const arbitraryTool = (fields: Fields<ToolDefinition> = {}): fc.Arbitrary<ToolDefinition> =>
  arbitraryRecord<ToolDefinition>(
    {
      name: arbitraryName,
      description: orNull(arbitraryProse),
      parameters: orNull(arbitrarySchema),
      strict: fc.constantFrom(true, false, null),
      cache: arbitraryCache,
    },
    fields,
  );

const arbitraryHostedTool: fc.Arbitrary<HostedTool> = fc.record({
  dialect: fc.constant('another-dialect'),
  name: arbitraryName,
  value: arbitraryJsonObject,
});

export const arbitraryToolChoice: fc.Arbitrary<ToolChoice> = fc.oneof(
  fc.record({ type: fc.constantFrom('auto', 'none', 'required') }),
  fc.record({ type: fc.constant('tool'), name: arbitraryName }),
);

export const arbitraryJsonSchemaFormat = (
  fields: Fields<Extract<OutputFormat, { type: 'json_schema' }>> = {},
): fc.Arbitrary<OutputFormat> =>
  arbitraryRecord<Extract<OutputFormat, { type: 'json_schema' }>>(
    {
      type: fc.constant('json_schema'),
      name: orNull(arbitraryName),
      description: orNull(arbitraryProse),
      schema: arbitrarySchema,
      strict: fc.constantFrom(true, false, null),
    },
    fields,
  );

export const arbitraryReasoning: fc.Arbitrary<Reasoning> = fc.oneof(
  fc.record({ type: fc.constant('off' as const) }),
  fc.record({ type: fc.constant('effort' as const), effort: fc.constantFrom(...REASONING_EFFORTS) }),
  fc.record({ type: fc.constant('budget' as const), tokens: fc.integer({ min: 1024, max: 16_000 }) }),
  fc.record({
    type: fc.constant('adaptive' as const),
    effort: fc.constantFrom('low', 'medium', 'high', null),
  }),
);

/** A number that is exact in JSON and as a float: a multiple of 1/64. */
export const arbitraryFraction = (max: number): fc.Arbitrary<number> =>
  fc.nat(max * 64).map((count) => count / 64);

export const arbitrarySampling = (fields: Fields<Sampling> = {}): fc.Arbitrary<Sampling> =>
  arbitraryRecord<Sampling>(
    {
      temperature: orNull(arbitraryFraction(2)),
      topP: orNull(arbitraryFraction(1)),
      topK: orNull(fc.nat(100)),
      seed: orNull(fc.nat()),
      presencePenalty: orNull(arbitraryFraction(2)),
      frequencyPenalty: orNull(arbitraryFraction(2)),
      logitBias: orNull(fc.dictionary(fc.nat(50_000).map(String), fc.integer({ min: -100, max: 100 }))),
    },
    fields,
  );

/** A request with any field; `fields` limits it to what a dialect can express. */
export const arbitraryCompletionRequest = (
  fields: Fields<CompletionRequest> = {},
): fc.Arbitrary<CompletionRequest> =>
  arbitraryRecord<CompletionRequest>(
    {
      model: arbitraryName.map((name) => `model-${name}`),
      stream: fc.boolean(),
      wantsStreamUsage: fc.boolean(),
      messages: arbitraryConversation(),
      tools: fc.array(arbitraryTool(), { maxLength: 2 }),
      hostedTools: fc.array(arbitraryHostedTool, { maxLength: 1 }),
      toolChoice: orNull(arbitraryToolChoice),
      parallelToolCalls: fc.constantFrom(true, false, null),
      outputFormat: fc.oneof(
        fc.record({ type: fc.constantFrom('text' as const, 'json_object' as const) }),
        arbitraryJsonSchemaFormat(),
      ),
      maxOutputTokens: orNull(fc.integer({ min: 1, max: 64_000 })),
      stopSequences: fc.array(arbitraryProse, { maxLength: 4 }),
      sampling: arbitrarySampling(),
      reasoning: orNull(arbitraryReasoning),
      choices: fc.integer({ min: 1, max: 4 }),
      logprobs: orNull(fc.record({ alternatives: fc.nat(20) })),
      modalities: fc.constantFrom(['text'], ['text', 'audio']),
      verbosity: fc.constantFrom('low', 'medium', 'high', null),
      serviceTier: fc.constantFrom('auto', 'default', 'flex', 'priority', 'standard_only', null),
      endUser: orNull(arbitraryName),
      metadata: orNull(fc.dictionary(arbitraryName, arbitraryProse, { maxKeys: 3 })),
      promptCacheKey: orNull(arbitraryName),
      extra: arbitraryJsonObject,
    },
    fields,
  );
