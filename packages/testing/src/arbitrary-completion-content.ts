import type {
  AssistantPart,
  AudioPart,
  CacheBreakpoint,
  Citation,
  ContentSource,
  DocumentPart,
  ImagePart,
  OpaquePart,
  RedactedThinkingPart,
  RefusalPart,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultContent,
  UserPart,
} from '@tollgate/core/completion/content';
import fc from 'fast-check';

/** Arbitraries that replace the default ones of a record's fields. */
export type Fields<T> = { [K in keyof T]?: fc.Arbitrary<T[K]> };

/** A record of `defaults`, limited to what a dialect can express. */
export function arbitraryRecord<T>(
  defaults: { [K in keyof T]: fc.Arbitrary<T[K]> },
  fields: Fields<T>,
): fc.Arbitrary<T> {
  return fc.record<T>({ ...defaults, ...fields });
}

/** Nonempty text of whole characters: half a surrogate pair does not survive UTF-8. */
export const arbitraryProse: fc.Arbitrary<string> = fc.string({
  unit: 'grapheme',
  minLength: 1,
  maxLength: 24,
});
export const arbitraryName: fc.Arbitrary<string> = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,15}$/);
/** Member names that Object.prototype lacks. */
export const arbitraryJsonObject: fc.Arbitrary<Record<string, unknown>> = fc
  .dictionary(fc.stringMatching(/^[a-z][a-z_]{0,7}x$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((object) => JSON.parse(JSON.stringify(object)));
export const arbitraryBase64: fc.Arbitrary<string> = fc
  .uint8Array({ minLength: 1, maxLength: 24 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));
export const arbitraryUrl: fc.Arbitrary<string> = fc
  .stringMatching(/^[a-z0-9/]{1,12}$/)
  .map((path) => `https://example.com/${path}`);

export function orNull<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { nil: null });
}

export const arbitraryCache: fc.Arbitrary<CacheBreakpoint | null> = orNull(
  fc.record({ ttl: fc.constantFrom('5m', '1h', null) }),
);

const arbitraryImageSource: fc.Arbitrary<ContentSource> = fc.oneof(
  fc.record({
    kind: fc.constant('base64' as const),
    mediaType: fc.constantFrom('image/png', 'image/jpeg', 'image/gif', 'image/webp'),
    data: arbitraryBase64,
  }),
  fc.record({ kind: fc.constant('url' as const), url: arbitraryUrl }),
  fc.record({ kind: fc.constant('file' as const), fileId: arbitraryName }),
);

export const arbitraryCitation: fc.Arbitrary<Citation> = fc.record({
  citedText: orNull(arbitraryProse),
  title: orNull(arbitraryProse),
  url: orNull(arbitraryUrl),
  start: orNull(fc.nat(100)),
  end: orNull(fc.nat(100)),
  original: arbitraryJsonObject,
});

export const arbitraryTextPart = (fields: Fields<TextPart> = {}): fc.Arbitrary<TextPart> =>
  arbitraryRecord<TextPart>(
    { type: fc.constant('text'), text: arbitraryProse, citations: fc.constant([]), cache: arbitraryCache },
    fields,
  );

export const arbitraryImagePart = (fields: Fields<ImagePart> = {}): fc.Arbitrary<ImagePart> =>
  arbitraryRecord<ImagePart>(
    {
      type: fc.constant('image'),
      source: arbitraryImageSource,
      detail: fc.constantFrom('auto', 'low', 'high', null),
      cache: arbitraryCache,
    },
    fields,
  );

export const arbitraryDocumentPart = (fields: Fields<DocumentPart> = {}): fc.Arbitrary<DocumentPart> =>
  arbitraryRecord<DocumentPart>(
    {
      type: fc.constant('document'),
      source: fc.oneof(
        fc.record({
          kind: fc.constant('base64' as const),
          mediaType: fc.constant('application/pdf'),
          data: arbitraryBase64,
        }),
        fc.record({ kind: fc.constant('url' as const), url: arbitraryUrl }),
        fc.record({ kind: fc.constant('file' as const), fileId: arbitraryName }),
        fc.record({ kind: fc.constant('text' as const), text: arbitraryProse }),
      ),
      title: orNull(arbitraryProse),
      context: orNull(arbitraryProse),
      citable: fc.boolean(),
      cache: arbitraryCache,
    },
    fields,
  );

export const arbitraryAudioPart: fc.Arbitrary<AudioPart> = fc.record({
  type: fc.constant('audio'),
  format: fc.constantFrom('wav', 'mp3'),
  data: arbitraryBase64,
});

export const arbitraryThinkingPart = (fields: Fields<ThinkingPart> = {}): fc.Arbitrary<ThinkingPart> =>
  arbitraryRecord<ThinkingPart>(
    { type: fc.constant('thinking'), text: arbitraryProse, signature: orNull(arbitraryBase64) },
    fields,
  );

export const arbitraryRedactedThinkingPart: fc.Arbitrary<RedactedThinkingPart> = fc.record({
  type: fc.constant('redacted_thinking'),
  data: arbitraryBase64,
});

/** Arguments as `JSON.stringify` writes them, so that parsing dialects return the same text. */
const arbitraryArguments: fc.Arbitrary<string> = arbitraryJsonObject.map((object) => JSON.stringify(object));

export const arbitraryToolCallPart = (fields: Fields<ToolCallPart> = {}): fc.Arbitrary<ToolCallPart> =>
  arbitraryRecord<ToolCallPart>(
    {
      type: fc.constant('tool_call'),
      id: arbitraryName.map((name) => `call_${name}`),
      name: arbitraryName,
      arguments: arbitraryArguments,
      cache: arbitraryCache,
    },
    fields,
  );

export const arbitraryRefusalPart: fc.Arbitrary<RefusalPart> = fc.record({
  type: fc.constant('refusal'),
  text: arbitraryProse,
});

/** A part that only `dialect` supports. */
const arbitraryOpaquePart = (dialect: string): fc.Arbitrary<OpaquePart> =>
  fc.record({
    type: fc.constant('opaque'),
    dialect: fc.constant(dialect),
    name: arbitraryName,
    value: arbitraryJsonObject,
  });

export const arbitraryUserPart: fc.Arbitrary<UserPart> = fc.oneof(
  arbitraryTextPart(),
  arbitraryImagePart(),
  arbitraryDocumentPart(),
  arbitraryAudioPart,
  arbitraryOpaquePart('another-dialect'),
);

export const arbitraryAssistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  arbitraryTextPart({ citations: fc.array(arbitraryCitation, { maxLength: 2 }) }),
  arbitraryThinkingPart(),
  arbitraryRedactedThinkingPart,
  arbitraryToolCallPart(),
  arbitraryRefusalPart,
  arbitraryOpaquePart('another-dialect'),
);

export const arbitraryToolResultContent: fc.Arbitrary<ToolResultContent> = fc.oneof(
  arbitraryTextPart(),
  arbitraryImagePart(),
  arbitraryDocumentPart(),
  arbitraryOpaquePart('another-dialect'),
);
