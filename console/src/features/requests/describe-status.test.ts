import { describe, expect, it } from 'vitest';
import { describeStatus } from './describe-status.ts';

describe('describeStatus', () => {
  it.each([
    [{ status: 200, errorCode: null }, 'ok', '200'],
    [{ status: 200, errorCode: 'upstream_error' }, 'bad', '200'],
    [{ status: 429, errorCode: 'rate_limit_requests' }, 'warn', '429'],
    [{ status: 402, errorCode: 'budget_exceeded' }, 'bad', '402'],
    [{ status: 499, errorCode: 'client_gone' }, 'neutral', '499'],
    [{ status: 499, errorCode: 'replica_lost' }, 'bad', '499'],
  ])('%o is %s and reads %s', (request, tone, label) => {
    expect(describeStatus({ isOpen: false, ...request })).toMatchObject({ tone, label });
  });

  it('marks an interrupted response as failed', () => {
    const broken = { isOpen: false, status: 200, errorCode: 'upstream_error' };
    expect(describeStatus(broken).note).toBe('failed');
    expect(describeStatus({ ...broken, errorCode: null }).note).toBeNull();
  });

  it('names the error', () => {
    const failed = { isOpen: false, status: 503, errorCode: 'upstream_paused' };
    expect(describeStatus(failed).title).toBe('upstream_paused');
  });

  it('blames the client only if no replica stopped', () => {
    const lost = { isOpen: false, status: 499, errorCode: 'replica_lost' };
    expect(describeStatus(lost).title).toBe('Replica stopped');
    expect(describeStatus({ ...lost, errorCode: 'client_gone' }).title).toBe(
      'Client disconnected or cancelled',
    );
  });

  it('shows no status for a request in progress', () => {
    expect(describeStatus({ isOpen: true, status: 0, errorCode: null })).toMatchObject({ label: 'open' });
  });
});
