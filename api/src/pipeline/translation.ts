import { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { Result } from '@tollgate/core/errors/errors';
import { toCallerError } from '@tollgate/dialects/caller-param';
import { applyTermsToObject, editsOfTerms, type BodyTerms } from '@tollgate/dialects/contract/body-terms';
import { classifyBody, type ClassifiedBody } from '@tollgate/dialects/contract/request-members';
import { sizeInputTokens } from '@tollgate/dialects/input-tokens/size-input-tokens';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { readReasoningSetting, type ReasoningSetting } from '@tollgate/dialects/reasoning-setting';
import type { UpstreamBody } from '@tollgate/upstreams/transport/transport';
import type { Route, UpstreamEndpoint } from '../catalogue/route.ts';
import type {
  PreparedBody,
  PreparedConversation,
  PreparedTranslations,
} from '../request-body/worker/translate-body.ts';
import {
  decodeBody,
  encodeFor,
  getRelayTarget,
  getTarget,
  type DecodedRequest,
  type EncodedRequest,
  type TargetSource,
  type TranslationTarget,
} from './encode-for-provider.ts';
import { fitToLimit } from './fit-to-limit.ts';
import { fitEncoded, judgeEncoded, type EncodedTerms } from './encoded-terms.ts';

/** A request in a provider's dialect. */
export interface TranslatedRequest {
  /** The provider's dialect, used to read its response. */
  dialect: Dialect;
  /** The model that answers, by the provider's name. */
  upstreamModel: string;
  body: UpstreamBody;
  /** What the provider's dialect does not support, in the caller's terms. */
  dropped: readonly string[];
  /** Stop sequences that the gateway applies to the response. */
  stopSequences: readonly string[];
  /** The caller's body, parsed. */
  requestBody: JsonObject;
  /** As the body sets it; null: not set, or not supported by the provider's dialect. */
  reasoning: ReasoningSetting | null;
}

interface TranslateOptions {
  /** Maximum output tokens to send; null: the caller's. */
  outputLimit: number | null;
  /** True: the body always sets `stream`, even to false. */
  isHeld: boolean;
  terms: EncodedTerms;
}

/** The inputs of a translator. */
export interface TranslationSource extends TargetSource {
  from: Dialect;
  body: Buffer;
  /** A large body translated by a thread; null: it is translated here. */
  prepared: PreparedTranslations | null;
}

/** Translates one request for each provider it is sent to; the caller's body is read once. */
export class Translator {
  readonly #source: TranslationSource;
  #decoded: Result<DecodedRequest> | null = null;
  #dropsReasoning = false;

  constructor(source: TranslationSource) {
    this.#source = source;
  }

  /** @returns `invalid_request` or `unsupported_parameter` if the provider's dialect cannot express it */
  translate(
    route: Route,
    end: Pick<UpstreamEndpoint, 'dialect' | 'contract'>,
    options: TranslateOptions,
  ): Result<TranslatedRequest> {
    const prepared = this.#findPrepared(route, end.dialect);
    if (prepared?.ok === false) return prepared;
    if (prepared !== null) return this.#editPrepared(prepared.value, { route, end, options });
    return this.#translateHere(route, end, options);
  }

  /** The members that a contract classifies, in a provider's dialect. */
  classify(route: Route, to: Dialect): Result<ClassifiedBody> {
    const prepared = this.#findPrepared(route, to);
    if (prepared !== null) return prepared.ok ? { ok: true, value: prepared.value.classified } : prepared;
    const encoded = this.#encode(route, to, null);
    return encoded.ok ? { ok: true, value: classifyBody(encoded.value.body) } : encoded;
  }

  /** The caller's request; null if its body cannot be read. */
  getRequest(): DecodedRequest | null {
    const decoded = this.#decode();
    return decoded.ok ? decoded.value : null;
  }

  /** What the caller's own body is changed for. */
  getRelayTarget(route: Route, dialect: Dialect): TranslationTarget {
    return this.#fitted(getRelayTarget(route, dialect, this.#source));
  }

  /**
   * Later attempts leave all reasoning out of the conversation: a provider has refused it.
   * @returns false if it was left out before
   */
  dropReasoning(): boolean {
    const isFirst = !this.#dropsReasoning;
    this.#dropsReasoning = true;
    return isFirst;
  }

  #getTarget(route: Route, dialect: Dialect): TranslationTarget {
    return this.#fitted(getTarget(route, dialect, this.#source));
  }

  #fitted(target: TranslationTarget): TranslationTarget {
    return this.#dropsReasoning ? { ...target, dropsReasoning: true } : target;
  }

  /**
   * How the conversation changes for a provider of the caller's dialect.
   * @returns null if no thread has computed it
   */
  findConversation(route: Route, dialect: Dialect): PreparedConversation | null {
    const { prepared } = this.#source;
    if (prepared === null || prepared.conversations.length === 0) return null;
    const wanted = JSON.stringify(this.getRelayTarget(route, dialect));
    return prepared.conversations.find(({ target }) => JSON.stringify(target) === wanted) ?? null;
  }

  /** Estimated tokens of what the model reads, by size. @returns null if the body cannot be read */
  sizeInputTokens(): number | null {
    const decoded = this.#decode();
    return decoded.ok ? sizeInputTokens(decoded.value.canonical) : null;
  }

  #translateHere(
    route: Route,
    { dialect, contract }: Pick<UpstreamEndpoint, 'dialect' | 'contract'>,
    { outputLimit, isHeld, terms }: TranslateOptions,
  ): Result<TranslatedRequest> {
    const encoded = this.#encode(route, dialect, outputLimit);
    if (!encoded.ok) return encoded;
    const fitted = fitEncoded(encoded.value.body, contract, terms);
    if (!fitted.ok) return { ok: false, error: toCallerError(this.#source.from, fitted.error) };
    const { object, dropped } = fitted.value;
    const body = isHeld ? { ...object, stream: object['stream'] === true } : object;
    return {
      ok: true,
      value: {
        dialect,
        upstreamModel: route.upstreamModel,
        body: Buffer.from(JSON.stringify(body)),
        dropped: joinNames(encoded.value.dropped, dropped),
        stopSequences: encoded.value.stopSequences,
        requestBody: encoded.value.requestBody,
        reasoning: readReasoningSetting(object),
      },
    };
  }

  /** Like `translateHere`, but edits the members in the bytes instead of reading the body again. */
  #editPrepared(
    prepared: PreparedBody,
    { route, end, options }: { route: Route; end: PreparedEndpoint; options: TranslateOptions },
  ): Result<TranslatedRequest> {
    const { outputLimit, isHeld, terms } = options;
    const { from } = this.#source;
    const target = this.#getTarget(route, end.dialect);
    const fitted = fitToLimit(from, prepared, { target, outputLimit });
    if (!fitted.ok) return fitted;
    const { classified, dropped, edits } = fitted.value;
    const judged = judgeEncoded(classified, end.contract, terms);
    if (!judged.ok) return { ok: false, error: toCallerError(from, judged.error) };
    const stream = isHeld ? { stream: JSON.stringify(classified.members['stream'] === true) } : {};
    const object = new JsonObjectBytes(Buffer.from(prepared.body.buffer), prepared.places);
    const own = editsOfTerms(judged.value, { ...withoutTerms(edits.changes, judged.value), ...stream });
    return {
      ok: true,
      value: {
        dialect: end.dialect,
        upstreamModel: route.upstreamModel,
        body: { pieces: object.editInPieces({ ...own, drops: [...edits.drops, ...own.drops] }) },
        dropped: joinNames(dropped, judged.value.dropped),
        stopSequences: prepared.stopSequences,
        requestBody: this.#source.prepared?.requestBody ?? {},
        reasoning: readReasoningSetting(applyTermsToObject(classified.members, judged.value)),
      },
    };
  }

  #findPrepared(route: Route, dialect: Dialect): Result<PreparedBody> | null {
    const { prepared } = this.#source;
    if (prepared === null) return null;
    const wanted = JSON.stringify(this.#getTarget(route, dialect));
    const found = prepared.translations.find(({ target }) => JSON.stringify(target) === wanted);
    return found?.encoded ?? null;
  }

  #encode(
    route: Route,
    to: Dialect,
    outputLimit: number | null,
  ): Result<EncodedRequest & { requestBody: JsonObject }> {
    const decoded = this.#decode();
    if (!decoded.ok) return decoded;
    const { from } = this.#source;
    const { canonical, requestBody } = decoded.value;
    const target = this.#getTarget(route, to);
    const encoded = encodeFor(from, canonical, { target, outputLimit });
    return encoded.ok ? { ok: true, value: { ...encoded.value, requestBody } } : encoded;
  }

  #decode(): Result<DecodedRequest> {
    const { from, body } = this.#source;
    return (this.#decoded ??= decodeBody(from, body.toString('utf8')));
  }
}

/** The terms were decided after these changes, so they win. */
function withoutTerms(
  changes: Readonly<Record<string, string>>,
  { drops, edits }: BodyTerms,
): Record<string, string> {
  const kept = Object.entries(changes).filter(([name]) => !drops.includes(name) && edits[name] === undefined);
  return Object.fromEntries(kept);
}

type PreparedEndpoint = Pick<UpstreamEndpoint, 'dialect' | 'contract'>;

function joinNames(names: readonly string[], more: readonly string[]): readonly string[] {
  return more.length === 0 ? names : [...new Set([...names, ...more])];
}
