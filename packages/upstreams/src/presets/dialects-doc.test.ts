import { renderDialectsDoc } from '@tollgate/dialects/dialects-doc';
import { expect, it } from 'vitest';
import { PRESETS } from './presets.ts';

it('docs/dialects.md says what the field tables and the request contracts say', async () => {
  await expect(renderDialectsDoc(PRESETS)).toMatchFileSnapshot('../../../../docs/dialects.md');
});
