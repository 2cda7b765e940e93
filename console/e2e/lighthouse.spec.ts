import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findChromium } from './chromium.ts';
import { expect, openSession, test } from './fixtures.ts';
import { tollgate } from './installation.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const FOLDER = path.resolve(import.meta.dirname, '../lighthouse');
const PAGES = {
  overview: '/overview',
  keys: '/keys',
  requests: '/requests',
  usage: '/usage',
  billing: '/billing',
  models: '/models',
  connect: '/connect',
  playground: '/playground',
  team: '/team',
  settings: '/settings',
  docs: '/docs',
};
const DEVICES = ['desktop', 'mobile'] as const;
const LEAST_SCORE = 95;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

const reportSchema = z.object({
  categories: z.record(z.enum(CATEGORIES), z.object({ score: z.number() })),
  audits: z.record(
    z.string(),
    z.object({ title: z.string(), score: z.number().nullable(), displayValue: z.string().optional() }),
  ),
});

// Optional: it downloads Lighthouse, and its speed scores are valid only on an idle machine.
test.skip(process.env['E2E_LIGHTHOUSE'] === undefined, 'E2E_LIGHTHOUSE=1 runs it');

for (const device of DEVICES) {
  test(`the main pages have Lighthouse scores of at least 95, ${device}`, async ({
    page,
    person,
    installation,
  }) => {
    test.setTimeout(900_000);
    await tollgate(installation, ['demo', 'seed', '--yes', '--account', person.email, '--requests', '5000']);
    await openSession(page, person, installation);
    const cookies = await page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    mkdirSync(FOLDER, { recursive: true });
    for (const [name, address] of Object.entries(PAGES)) {
      const report = await measure({
        url: `${installation.consoleUrl}${address}`,
        name: `${name}-${device}`,
        device,
        cookie,
      });
      const scores = CATEGORIES.map((category) => ({
        category,
        score: Math.round(report.categories[category].score * 100),
      }));
      const weak = Object.values(report.audits).filter(({ score }) => score !== null && score < 0.9);
      process.stdout.write(
        `${name}, ${device}: ${scores.map(({ category, score }) => `${category} ${score}`).join(', ')}\n` +
          weak.map(({ title, displayValue }) => `  ${title} ${displayValue ?? ''}\n`).join(''),
      );
      for (const { category, score } of scores) {
        expect.soft(score, `${name}, ${device}: ${category}`).toBeGreaterThanOrEqual(LEAST_SCORE);
      }
    }
  });
}

interface Measurement {
  url: string;
  name: string;
  /** `mobile`: a phone with a slow processor and network, which Lighthouse simulates. */
  device: (typeof DEVICES)[number];
  cookie: string;
}

/** Runs Lighthouse in a separate browser with the session's cookie. */
async function measure(measurement: Measurement): Promise<z.infer<typeof reportSchema>> {
  const { url, name, device, cookie } = measurement;
  const output = path.join(FOLDER, `${name}.json`);
  await promisify(execFile)(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      '--quiet',
      ...(device === 'desktop' ? ['--preset=desktop'] : []),
      `--only-categories=${CATEGORIES.join(',')}`,
      `--extra-headers=${JSON.stringify({ Cookie: cookie })}`,
      `--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run`,
      '--output=json',
      `--output-path=${output}`,
    ],
    {
      env: {
        ...process.env,
        CHROME_PATH: findChromium(),
        // Lighthouse needs the Node that runs this.
        PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
      },
    },
  );
  return reportSchema.parse(JSON.parse(readFileSync(output, 'utf8')));
}
