import { CREDENTIAL_FORMS } from '@tollgate/upstreams/credential/read-credential';
import { PRESETS } from '@tollgate/upstreams/presets/presets';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { formatTable } from '../../output/table.ts';

const COLUMNS = [
  { title: 'PRESET' },
  { title: 'PROVIDER' },
  { title: 'API FORMAT' },
  { title: 'SETTINGS' },
  { title: 'CREDENTIAL' },
] as const;

export function addProviderPresets(provider: Command): void {
  addCommand(provider, {
    usage: 'presets',
    summary: 'List the provider presets',
    input: z.object({}),
    examples: ['tollgate provider presets'],
    run: () => {
      const rows = PRESETS.map(({ name, title, dialect, settings, credential }) => [
        name,
        title,
        dialect,
        settings.map((setting) => setting.name).join(', ') || '-',
        CREDENTIAL_FORMS[credential],
      ]);
      const presets = PRESETS.map(({ name, title, dialect, baseUrl, settings, credential, docs }) => ({
        name,
        title,
        dialect,
        baseUrl,
        settings,
        credential,
        docs,
      }));
      return Promise.resolve({ json: { presets }, text: formatTable(COLUMNS, rows) });
    },
  });
}
