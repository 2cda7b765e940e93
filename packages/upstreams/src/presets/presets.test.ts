import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHttpProvider } from '../create-provider.ts';
import { CREDENTIAL_FORMS } from '../credential/read-credential.ts';
import { completionAddress, providerHeaders } from '../provider-request.ts';
import { PRESETS, findPreset } from './presets.ts';
import { resolveBaseUrl } from './resolve-base-url.ts';
import type { ProviderPreset } from './preset.ts';

const VALUES: Record<string, string> = {
  region: 'us-east-1',
  project: 'my-project',
  resource: 'my-resource',
};

function getSettings(preset: ProviderPreset): Record<string, string> {
  return Object.fromEntries(preset.settings.map(({ name }) => [name, VALUES[name] ?? '']));
}

function addressOfPreset(name: string, settings: Record<string, string> = {}): string {
  const preset = findPreset(name);
  const resolved = preset === null ? null : resolveBaseUrl(preset, settings);
  if (resolved?.ok !== true) throw new Error(resolved?.reason ?? `no preset ${name}`);
  return resolved.baseUrl;
}

describe('presets', () => {
  it('have unique names', () => {
    expect(new Set(PRESETS.map(({ name }) => name)).size).toBe(PRESETS.length);
  });

  it.each(PRESETS.map((preset) => [preset.name, preset] as const))(
    '%s has a complete URL once its settings are filled in',
    (_, preset) => {
      const resolved = resolveBaseUrl(preset, getSettings(preset));
      if (!resolved.ok) throw new Error(resolved.reason);
      const url = new URL(resolved.baseUrl);
      expect(resolved.baseUrl).not.toMatch(/[{}]|%7B|\/$/);
      // Keys are sent to these hosts: only self-hosted servers may use plain HTTP.
      expect(url.protocol).toBe(preset.credential === 'none' ? 'http:' : 'https:');
      expect(new URL(preset.docs).protocol).toBe('https:');
    },
  );

  it('ask for exactly the settings in their URL templates', () => {
    for (const preset of PRESETS) {
      const named = [...preset.baseUrl.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(new Set(named)).toEqual(new Set(preset.settings.map(({ name }) => name)));
    }
  });

  it('match the table in docs/operations.md', () => {
    const document = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
    const rows = document.split('\n').filter((line) => /^\| `[a-z0-9-]+` +\| \[/.test(line));
    const cells = rows.map((row) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
    expect(cells).toEqual(
      PRESETS.map(({ name, title, docs, settings, credential }) => [
        `\`${name}\``,
        `[${title}](${docs})`,
        settings.map((setting) => `\`${setting.name}\``).join(', '),
        CREDENTIAL_FORMS[credential],
      ]),
    );
  });

  it('use the host of a multi-region', () => {
    const path = '/v1/projects/p/locations/global/publishers/anthropic/models';
    expect(addressOfPreset('vertex-anthropic', { project: 'p', region: 'global' })).toBe(
      `https://aiplatform.googleapis.com${path}`,
    );
    expect(addressOfPreset('vertex-gemini', { project: 'p', region: 'europe-west1' })).toBe(
      'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/endpoints/openapi',
    );
  });

  it.each([
    [{}, 'Azure OpenAI needs --setting resource=…: the name of the Azure resource'],
    [{ resource: 'evil.example/x' }, 'the setting resource must be the name of the Azure resource'],
    [{ resource: 'x', region: 'y' }, 'azure-openai has no setting region: it takes resource'],
  ])('refuse the settings %o with a message', (settings, reason) => {
    const preset = findPreset('azure-openai');
    expect(preset && resolveBaseUrl(preset, settings)).toEqual({ ok: false, reason });
  });

  it.each([
    ['openai', 'authorization', 'Bearer k'],
    ['anthropic', 'x-api-key', 'k'],
    ['azure-openai', 'api-key', 'k'],
    ['bedrock-anthropic', 'authorization', 'Bearer k'],
  ])('send the key of %s in %s', (name, header, value) => {
    const preset = findPreset(name);
    const provider = createHttpProvider(
      {
        id: 'prov_1',
        name,
        preset: name,
        dialect: preset?.dialect ?? 'openai-chat',
        baseUrl: 'https://example.com/v1',
        settings: {},
        connectTimeoutMs: null,
        firstByteTimeoutMs: null,
        idleTimeoutMs: null,
        totalTimeoutMs: null,
        maxConcurrency: null,
      },
      { kind: 'api-key', apiKey: 'k', headers: {} },
    );
    expect(Object.entries(providerHeaders(provider)).filter(([, sent]) => sent.includes('k'))).toContainEqual(
      [header, value],
    );
    expect(completionAddress(provider, provider.dialect).origin).toBe('https://example.com');
  });
});
