import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AppEnv } from './app-env.ts';
import { readClientIp } from './client-address.ts';

interface Visit {
  peer: string;
  hops?: number;
  forwardedFor?: string;
}

async function look({ peer, hops = 0, forwardedFor }: Visit) {
  const app = new Hono<AppEnv>().get('*', (c) => c.json({ ip: readClientIp(c, hops) }));
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const response = await app.fetch(new Request('http://127.0.0.1:3000/', { headers }), {
    incoming: { socket: { remoteAddress: peer } },
  });
  return z.object({ ip: z.string() }).parse(await response.json());
}

describe('readClientIp', () => {
  it('is the peer, whatever the headers claim, if no proxy is trusted', async () => {
    expect((await look({ peer: '198.51.100.7', forwardedFor: '1.2.3.4' })).ip).toBe('198.51.100.7');
  });

  it('is the address seen by the outermost trusted proxy, not one claimed by the client', async () => {
    const forwardedFor = '6.6.6.6, 198.51.100.7, 10.0.0.2';
    expect((await look({ peer: '10.0.0.1', hops: 1, forwardedFor: '6.6.6.6, 198.51.100.7' })).ip).toBe(
      '198.51.100.7',
    );
    expect((await look({ peer: '10.0.0.1', hops: 2, forwardedFor })).ip).toBe('198.51.100.7');
  });

  it('is the peer if the proxy sent no valid address', async () => {
    expect((await look({ peer: '10.0.0.1', hops: 1 })).ip).toBe('10.0.0.1');
    expect((await look({ peer: '10.0.0.1', hops: 1, forwardedFor: 'unknown' })).ip).toBe('10.0.0.1');
    expect((await look({ peer: '10.0.0.1', hops: 3, forwardedFor: '1.2.3.4' })).ip).toBe('10.0.0.1');
  });

  it.each([
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('counts %s as %s', async (peer, ip) => {
    expect((await look({ peer })).ip).toBe(ip);
  });
});
