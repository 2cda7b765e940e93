import { NO_USAGE } from '@tollgate/core/money/money';
import { ExpectedOutput } from '@tollgate/limits/expected-output';
import { OutputSpeeds } from '@tollgate/limits/output-speed';
import { expect, it } from 'vitest';
import { LikelyOutput } from './likely-output.ts';
import { UNMETERED } from './metered.ts';
import { RequestTimes } from './request-times.ts';

/** A cut response of which `outputTokens` were seen, 10 s after its request was sent. */
function produced(outputTokens: number, maxOutputTokens: number) {
  const times = new RequestTimes(Date.now() - 10_000);
  times.noteRoute(false);
  times.sentAtMs = Date.now() - 10_000;
  const context = {
    key: { accountId: 'acc_1' },
    outputSpeeds: new OutputSpeeds(),
    expected: new ExpectedOutput(),
  };
  const output = new LikelyOutput(context, times);
  output.model = 'm';
  output.usualMode = 'on';
  const seen = { ...UNMETERED, usage: { ...NO_USAGE, outputTokens }, visibleTokens: outputTokens };
  const { billed, unbilledTokens } = output.of(seen, maxOutputTokens);
  return { outputTokens: billed.usage?.outputTokens, unbilledTokens };
}

it('hidden reasoning is added up to the maximum of the request', () => {
  expect(produced(20, 100)).toEqual({ outputTokens: 100, unbilledTokens: 0 });
});

it('what was seen is billed even if the provider wrote more than the maximum of the request', () => {
  expect(produced(5_000, 100)).toEqual({ outputTokens: 5_000, unbilledTokens: 0 });
});
