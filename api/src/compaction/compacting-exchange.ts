import { Buffer } from 'node:buffer';
import type { GatewayError, Result } from '@tollgate/core/errors/errors';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { createCompactionItem } from '@tollgate/dialects/openai-responses/carried/compaction';
import { idStem } from '@tollgate/dialects/openai-responses/envelope';
import { sendError } from '../errors/send-error.ts';
import type { Exchange } from '../exchange.ts';
import { ForwardingExchange } from '../forwarding-exchange.ts';
import { isForThread } from '../request-body/is-for-thread.ts';
import { writeSummaryRequestInThread } from '../request-body/parse-in-thread.ts';
import type { ReadLimits } from '../request-body/read-limits.ts';
import { shortageError } from '../request-body/read-limits.ts';
import type { BodyWorkers } from '../request-body/worker/body-workers.ts';
import { listContinuedMessages, writeSummaryRequest, type SummaryRequest } from './summary-request.ts';

const NO_SUMMARY: GatewayError = {
  code: 'upstream_error',
  message: 'The model did not complete the summary of the conversation. Try again, or use another model.',
};

/** The exchange of a compaction: the pipeline gets a request for a summary, and the caller the compacted conversation. */
export class CompactingExchange extends ForwardingExchange {
  readonly #workers: BodyWorkers;
  #kept: Buffer = Buffer.from('[]');

  constructor(exchange: Exchange, workers: BodyWorkers) {
    super(exchange);
    this.#workers = workers;
    exchange.listen(this);
  }

  override async readBody(limits: ReadLimits): Promise<Result<Buffer>> {
    const read = await super.readBody(limits);
    if (!read.ok) return read;
    const { value: body } = read;
    // For the request, and for the messages that are kept.
    const shortage = limits.reservation.grow(2 * body.length);
    if (shortage !== null) return { ok: false, error: shortageError(shortage) };
    const written = isForThread(body)
      ? await this.#writeInThread(body, false, limits.owner)
      : writeSummaryRequest(body);
    return this.#keep(written);
  }

  /**
   * Keeps the messages of the user in a conversation that the request continues.
   * @param body the request, with this conversation
   * @returns the body
   */
  async keepContinued(
    body: Buffer,
    { reservation, owner }: Pick<ReadLimits, 'reservation' | 'owner'>,
  ): Promise<Result<Buffer>> {
    const shortage = reservation.grow(body.length);
    if (shortage !== null) return { ok: false, error: shortageError(shortage) };
    const listed = isForThread(body)
      ? await this.#writeInThread(body, true, owner)
      : { ok: true as const, value: { body, kept: listContinuedMessages(body) } };
    return this.#keep(listed);
  }

  #writeInThread(body: Buffer, isContinued: boolean, owner: string): Promise<Result<SummaryRequest> | null> {
    const isWanted = () => !this.isDisconnected;
    return writeSummaryRequestInThread(this.#workers, isContinued, { body, owner, isWanted });
  }

  #keep(written: Result<SummaryRequest> | null): Result<Buffer> {
    // Nothing reaches a caller that has disconnected.
    if (written === null) return { ok: true, value: Buffer.from('{}') };
    if (!written.ok) return written;
    this.#kept = written.value.kept;
    return { ok: true, value: written.value.body };
  }

  override send(status: number, contentType: string, body: Buffer | string): void {
    if (status !== 200) super.send(status, contentType, body);
    else this.#sendCompaction(contentType, parseJsonObject(body.toString()) ?? {});
  }

  override sendPieces(
    status: number,
    contentType: string,
    pieces: readonly Buffer[],
    onTaken: () => void,
  ): void {
    this.send(status, contentType, Buffer.concat(pieces));
    onTaken();
  }

  #sendCompaction(contentType: string, response: JsonObject): void {
    const summary = response['status'] === 'completed' ? getText(response['output']) : '';
    if (summary === '') {
      sendError(this.exchange, 'openai-responses', NO_SUMMARY);
      return;
    }
    const stem = idStem(this.requestId);
    const compacted = {
      id: `resp_${stem}`,
      object: 'response.compaction',
      created_at: Math.floor(this.startedAtMs / 1000),
      output: [createCompactionItem(summary, stem)],
      usage: response['usage'] ?? null,
    };
    const text = JSON.stringify(compacted);
    const kept = this.#kept.toString('utf8', 1, this.#kept.length - 1);
    const separator = kept === '' ? '' : ',';
    // Its parts are valid JSON: the list begins with what is kept.
    const list = text.replace('"output":[', () => `"output":[${kept}${separator}`);
    super.send(200, contentType, list);
  }
}

/** The text of the messages in an output. */
function getText(output: unknown): string {
  const items = Array.isArray(output) ? output.map(asObject) : [];
  const messages = items.filter((item) => item?.['type'] === 'message');
  const parts = messages.flatMap((item) => (Array.isArray(item?.['content']) ? item['content'] : []));
  const texts = parts.map((part) => asObject(part)?.['text']);
  return texts
    .filter((text) => typeof text === 'string')
    .join('\n')
    .trim();
}
