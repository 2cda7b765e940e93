import { expect, it } from 'vitest';
import type { LimitTicket, TakeRequest } from '../limit-store.ts';
import { MemoryLimitStore } from '../memory-store.ts';
import { LimitAudit, type AuditEntry } from './limit-audit.ts';
import { createRandom } from './random.ts';

const REQUESTS = 1_000_000;
const ACCOUNTS = 100;
const KEYS = 3;

interface InFlight {
  ticket: LimitTicket;
  endsMs: number;
  reserved: number;
  used: number;
  keyAudit: LimitAudit;
  key: AuditEntry;
  account: AuditEntry;
}

/** Outcomes of requests that waited as long as asked. */
const slept = { all: 0, admitted: 0, undisturbed: 0, undisturbedAdmitted: 0 };
const totals = { taken: 0, refused: 0, overruns: 0, mostRequests: 0, mostTokens: 0, inDebt: 0 };
const random = createRandom(20_261_121);
let nowMs = 1_700_000_000_000;
const store = new MemoryLimitStore({ nowMs: () => nowMs });

/** One account with its keys, from the first to the last request. */
class AccountRun {
  readonly #accountId: string;
  readonly #account = { rpm: random.logarithmic(5, 4000), tpm: random.logarithmic(2000, 2_000_000) };
  readonly #keys = Array.from({ length: KEYS }, () => {
    const limits = { rpm: random.logarithmic(2, 3000), tpm: random.logarithmic(1000, 1_000_000) };
    return { limits, audit: new LimitAudit(limits) };
  });
  readonly #audit = new LimitAudit(this.#account);
  /** Sorted; the next one to end is last. */
  readonly #inFlight: InFlight[] = [];
  readonly #meanGapMs = random.logarithmic(5, 3000);
  #overruns = 0;

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  run(requests: number): void {
    for (let sent = 0; sent < requests; sent++) {
      this.#turnTo(nowMs + random.exponential(this.#meanGapMs));
      this.#send(random.below(KEYS));
    }
    this.#turnTo(nowMs + 600_000);
    for (const audit of [this.#audit, ...this.#keys.map((key) => key.audit)]) {
      totals.mostRequests = Math.max(totals.mostRequests, audit.most.requests);
      totals.mostTokens = Math.max(totals.mostTokens, audit.most.tokens);
      totals.inDebt += audit.admittedInDebt;
    }
  }

  #send(index: number): void {
    const key = this.#keys[index];
    if (key === undefined) throw new RangeError('no such key');
    const most = Math.min(key.limits.tpm, this.#account.tpm);
    const tokens = Math.min(most, random.logarithmic(1, 20_000));
    const request: TakeRequest = {
      accountId: this.#accountId,
      keyId: `${this.#accountId}_${index}`,
      key: key.limits,
      account: this.#account,
      tokens,
    };
    if (this.#try(request, key.audit)) return;
    const decision = store.take(request);
    if (decision.ok || decision.kind !== 'retry') throw new Error('a refusal did not last for a moment');
    const overruns = this.#overruns;
    this.#turnTo(nowMs + decision.retryAfterMs);
    const isAdmitted = this.#try(request, key.audit);
    const isUndisturbed = overruns === this.#overruns;
    slept.all += 1;
    slept.admitted += Number(isAdmitted);
    slept.undisturbed += Number(isUndisturbed);
    slept.undisturbedAdmitted += Number(isUndisturbed && isAdmitted);
  }

  #try(request: TakeRequest, keyAudit: LimitAudit): boolean {
    const decision = store.take(request);
    totals[decision.ok ? 'taken' : 'refused'] += 1;
    if (!decision.ok) return false;
    const used = Math.floor(
      request.tokens * (random.below(10) === 0 ? random.exponential(3) : random.unit()),
    );
    const endsMs = nowMs + random.exponential(random.below(20) === 0 ? 60_000 : 3000);
    const at = this.#inFlight.findLastIndex((other) => other.endsMs >= endsMs) + 1;
    this.#inFlight.splice(at, 0, {
      ticket: decision.ticket,
      endsMs,
      reserved: request.tokens,
      used,
      keyAudit,
      key: keyAudit.admitted(nowMs, request.tokens),
      account: this.#audit.admitted(nowMs, request.tokens),
    });
    return true;
  }

  /** Settles requests that end by the given time. */
  #turnTo(untilMs: number): void {
    for (
      let next = this.#inFlight.at(-1);
      next !== undefined && next.endsMs <= untilMs;
      next = this.#inFlight.at(-1)
    ) {
      this.#inFlight.pop();
      nowMs = next.endsMs;
      store.trueUp(next.ticket, next.used);
      next.keyAudit.ended(nowMs, next.key, next.reserved, next.used);
      this.#audit.ended(nowMs, next.account, next.reserved, next.used);
      if (next.used > next.reserved) {
        this.#overruns += 1;
        totals.overruns += 1;
      }
    }
    nowMs = untilMs;
  }
}

it('exceeds no limit in a million requests, and admits requests after the returned wait', () => {
  const startedMs = performance.now();
  for (let account = 0; account < ACCOUNTS; account++)
    new AccountRun(`acct_${account}`).run(REQUESTS / ACCOUNTS);
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(3)} %`;
  process.stdout.write(
    `limits, ${totals.taken + totals.refused} simulated requests in ${Math.round(performance.now() - startedMs)} ms: ` +
      `${totals.taken} admitted, ${totals.overruns} overruns; ` +
      `fullest window: ${share(totals.mostRequests, 1)} of RPM, ${share(totals.mostTokens, 1)} of TPM; ` +
      `${slept.all} slept retry-after, admitted on the first try: ${share(slept.undisturbedAdmitted, slept.undisturbed)} ` +
      `(${share(slept.admitted, slept.all)} with those whose other requests ran over meanwhile)\n`,
  );
  expect(totals.taken + totals.refused).toBeGreaterThanOrEqual(REQUESTS);
  expect(totals.mostRequests).toBe(1);
  expect(totals.mostTokens).toBe(1);
  expect(totals.inDebt).toBe(0);
  expect(slept.undisturbed).toBeGreaterThan(10_000);
  expect(slept.undisturbedAdmitted / slept.undisturbed).toBeGreaterThanOrEqual(0.999);
}, 300_000);
