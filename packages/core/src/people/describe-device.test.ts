import { expect, it } from 'vitest';
import { describeDevice } from './describe-device.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

it.each([
  [`${MAC} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on macOS'],
  [`${MAC} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on macOS'],
  [`${MAC} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera on macOS'],
  [`${MAC} Version/18.5 Safari/605.1.15`, 'Safari on macOS'],
  [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${IPHONE} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome on Windows',
  ],
  ['curl/8.5.0', 'curl'],
  ['something else', 'Unknown device'],
  [null, 'Unknown device'],
])('reads %s', (userAgent, name) => {
  expect(describeDevice(userAgent).name).toBe(name);
});

it('takes little time for a long user agent', () => {
  for (const agent of ['1'.repeat(16_000), '1 Version/'.repeat(1_600)]) {
    const before = process.threadCpuUsage();
    expect(describeDevice(`Version/${agent}`).name).toBe('Unknown device');
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(40);
  }
});
