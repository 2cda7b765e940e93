import { Buffer } from 'node:buffer';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Dialect } from '@tollgate/core/dialect';
import { deny, type Result } from '@tollgate/core/errors';
import { toCallerParam } from '@tollgate/dialects/caller-param';
import { codecOf } from '@tollgate/dialects/codec';
import { sizeInputTokens } from '@tollgate/dialects/input-tokens/size-input-tokens';
import { estimateInputTokens } from '@tollgate/dialects/input-tokens/estimate-input-tokens';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { OPENAI_FLAVOUR } from '@tollgate/dialects/openai-chat/flavour';
import type { Route, RouteEnd } from '../catalogue/route.ts';
import { fitEncoded, type EncodedTerms } from './encoded-terms.ts';

/** The output limit for models whose own is not known, in dialects that want one said. */
const UNKNOWN_MODEL_MAX_TOKENS = 4_096;

/** A request in the dialect of a provider. */
export interface TranslatedRequest {
  /** The provider's dialect: its answer is read in it. */
  dialect: Dialect;
  body: Buffer;
  /** What the provider's dialect has no place for, in the caller's terms. */
  dropped: readonly string[];
  /** The caller's own, parsed. */
  requestBody: JsonObject;
}

interface TranslateOptions {
  /** The maximum of output tokens to send; null: the caller's. */
  outputLimit: number | null;
  /** True: the body says whether it is streamed, also if it is not. */
  isHeld: boolean;
  terms: EncodedTerms;
}

/** Translates one request for as many providers as it is sent to; the caller's body is read once. */
export class Translator {
  readonly #from: Dialect;
  readonly #body: Buffer;
  readonly #maxOutputTokens: number | null;
  #decoded: Result<{ requestBody: JsonObject; canonical: CompletionRequest }> | null = null;

  /** @param maxOutputTokens the model's own limit; null: not known */
  constructor(from: Dialect, body: Buffer, maxOutputTokens: number | null) {
    this.#from = from;
    this.#body = body;
    this.#maxOutputTokens = maxOutputTokens;
  }

  /** @returns `invalid_request` or `unsupported_parameter` where it cannot be said in the provider's dialect */
  translate(
    route: Route,
    end: Pick<RouteEnd, 'dialect' | 'contract'>,
    { outputLimit, isHeld, terms }: TranslateOptions,
  ): Result<TranslatedRequest> {
    const encoded = this.encode(route, end.dialect, outputLimit);
    if (!encoded.ok) return encoded;
    const fitted = fitEncoded(encoded.value.body, end.contract, terms);
    if (!fitted.ok) return fitted;
    const { object, dropped } = fitted.value;
    return {
      ok: true,
      value: {
        dialect: end.dialect,
        body: Buffer.from(JSON.stringify(isHeld ? { ...object, stream: object['stream'] === true } : object)),
        dropped: dropped.length === 0 ? encoded.value.dropped : [...encoded.value.dropped, ...dropped],
        requestBody: encoded.value.requestBody,
      },
    };
  }

  /** Writes the request in a provider's dialect, before its contract is applied. */
  encode(
    route: Route,
    to: Dialect,
    outputLimit: number | null,
  ): Result<{ body: JsonObject; dropped: string[]; requestBody: JsonObject }> {
    this.#decoded ??= this.#decode();
    if (!this.#decoded.ok) return this.#decoded;
    const { canonical, requestBody } = this.#decoded.value;
    const encoded = codecOf(to).encodeRequest(
      {
        ...canonical,
        model: route.upstreamModel,
        maxOutputTokens: outputLimit ?? canonical.maxOutputTokens,
      },
      {
        flavour: route.provider.kind === 'http' ? route.provider.flavour : OPENAI_FLAVOUR,
        defaultMaxTokens: this.#maxOutputTokens ?? UNKNOWN_MODEL_MAX_TOKENS,
      },
    );
    if (!encoded.ok) {
      const { error } = encoded;
      const param = error.param === undefined ? {} : { param: toCallerParam(this.#from, error.param) };
      return { ok: false, error: { ...error, ...param } };
    }
    return { ok: true, value: { body: encoded.body, dropped: encoded.dropped, requestBody } };
  }

  /**
   * The most input tokens that the request can have, from its text; it takes longer than a look at its size.
   * @param upstreamModel the name that the provider knows
   * @param accountId accounts take turns at the tokenizer
   * @returns null if the body cannot be read
   * @throws TokenizerUnavailable
   */
  async countInputTokens(upstreamModel: string, accountId: string): Promise<number | null> {
    this.#decoded ??= this.#decode();
    if (!this.#decoded.ok) return null;
    const countFor = { owner: accountId, purpose: 'admission' } as const;
    return (await estimateInputTokens(this.#decoded.value.canonical, upstreamModel, countFor)).atMost;
  }

  /** What the model reads of the request, in tokens, by its size. @returns null where the body cannot be read */
  sizeInputTokens(): number | null {
    this.#decoded ??= this.#decode();
    return this.#decoded.ok ? sizeInputTokens(this.#decoded.value.canonical) : null;
  }

  #decode(): Result<{ requestBody: JsonObject; canonical: CompletionRequest }> {
    const requestBody = parseJsonObject(this.#body.toString('utf8'));
    if (requestBody === null) return deny('invalid_json', 'The request body is not a JSON object.');
    const decoded = codecOf(this.#from).decodeRequest(requestBody);
    return decoded.ok ? { ok: true, value: { requestBody, canonical: decoded.value } } : decoded;
  }
}
