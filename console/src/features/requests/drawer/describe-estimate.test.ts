import { expect, it } from 'vitest';
import { describeEstimate } from './describe-estimate.ts';

const ESTIMATED = { estimated: true, recovered: false, errorCode: null, attempts: [] };

it('blames the provider only if no replica stopped', () => {
  expect(describeEstimate(ESTIMATED)).toContain('provider reported no plausible usage');
  for (const lost of [{ recovered: true }, { errorCode: 'replica_lost' }]) {
    const sentence = describeEstimate({ ...ESTIMATED, ...lost });
    expect(sentence).toMatch(/^The replica stopped/);
    expect(sentence).not.toContain('provider');
  }
});

it('says that only the input is known if another replica settled the request', () => {
  const lost = { ...ESTIMATED, recovered: true, errorCode: 'replica_lost' };
  expect(describeEstimate(lost)).toContain('from the input');
});

it('says that the response was continued', () => {
  const attempts = [{ outcome: 'cut' }, { outcome: 'continued' }];
  expect(describeEstimate({ ...ESTIMATED, attempts })).toContain('continued');
  expect(describeEstimate({ ...ESTIMATED, attempts: attempts.slice(0, 1) })).not.toContain('continued');
});

it('says nothing of reported usage', () => {
  expect(describeEstimate({ ...ESTIMATED, estimated: false })).toBeNull();
});
