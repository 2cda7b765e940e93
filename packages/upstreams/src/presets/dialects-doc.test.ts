import { renderDialectsDoc } from '@tollgate/dialects/dialects-doc';
import { expect, it } from 'vitest';
import { PRESETS } from './presets.ts';

it('docs/dialects.md matches the field tables and the request contracts', async () => {
  await expect(renderDialectsDoc(PRESETS)).toMatchFileSnapshot('../../../../docs/dialects.md');
});
