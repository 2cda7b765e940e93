import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LimitTicket, TakeRequest } from '../limit-store.ts';
import { MemoryLimitStore } from '../memory-store.ts';
import { LimitAudit, type AuditEntry } from './limit-audit.ts';

interface InFlight {
  ticket: LimitTicket;
  reserved: number;
  key: AuditEntry;
  account: AuditEntry;
}

const limits = fc.record({ rpm: fc.integer({ min: 1, max: 12 }), tpm: fc.integer({ min: 1, max: 1000 }) });
const shareUpTo = (max: number) => fc.double({ min: 0, max, noNaN: true });
const wait = (max: number) => fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max }) });
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: wait(20_000) },
    { weight: 1, arbitrary: wait(600_000) },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('take' as const), share: shareUpTo(0.7) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('end' as const),
        which: fc.nat({ max: 3 }),
        share: fc.oneof(fc.constant(0), shareUpTo(0.5), shareUpTo(5)),
      }),
    },
  ),
  { minLength: 20, maxLength: 150 },
);

it('admits exactly what the audit allows and returns the earliest retry time', () => {
  let taken = 0;
  let refused = 0;
  fc.assert(
    fc.property(limits, limits, steps, (key, account, script) => {
      let nowMs = 0;
      const store = new MemoryLimitStore({ nowMs: () => nowMs });
      const books = { key: new LimitAudit(key), account: new LimitAudit(account) };
      const inFlight: InFlight[] = [];
      const hasRoom = (tokens: number) =>
        books.key.hasRoom(nowMs, tokens) && books.account.hasRoom(nowMs, tokens);
      const take = (tokens: number): boolean => {
        const request: TakeRequest = { accountId: 'a', keyId: 'k', key, account, tokens };
        const decision = store.take(request);
        expect(decision.ok).toBe(hasRoom(tokens));
        if (!decision.ok) {
          if (decision.kind !== 'retry') return true;
          refused += 1;
          nowMs += decision.retryAfterMs - 1;
          expect(store.take(request).ok).toBe(false);
          nowMs += 1;
          return take(tokens);
        }
        taken += 1;
        const entries = {
          key: books.key.admitted(nowMs, tokens),
          account: books.account.admitted(nowMs, tokens),
        };
        inFlight.push({ ticket: decision.ticket, reserved: tokens, ...entries });
        return true;
      };
      for (const step of script) {
        if (step.do === 'take') {
          const before = refused;
          take(Math.floor(step.share * Math.min(key.tpm, account.tpm)));
          // After waiting as long as asked, a request is refused at most once.
          expect(refused - before).toBeLessThanOrEqual(1);
        } else if (step.do === 'end') {
          const [ended] = inFlight.splice(step.which, 1);
          if (ended === undefined) continue;
          const used = Math.floor(step.share * Math.min(key.tpm, account.tpm));
          store.trueUp(ended.ticket, used);
          books.key.ended(nowMs, ended.key, ended.reserved, used);
          books.account.ended(nowMs, ended.account, ended.reserved, used);
        } else {
          nowMs += step.ms;
        }
      }
      for (const audit of [books.key, books.account]) {
        expect(audit.admittedInDebt).toBe(0);
        expect(audit.most.requests).toBeLessThanOrEqual(1);
        expect(audit.most.tokens).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: Number(process.env.LIMITS_RUNS ?? 1000) },
  );
  process.stdout.write(
    `limits: ${taken} requests taken, ${refused} refused, then admitted after the announced wait\n`,
  );
}, 300_000);
