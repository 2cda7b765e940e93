import { CLIENTS } from '@tollgate/core/clients/clients';
import { SMALL_MODELS } from '@tollgate/core/clients/small-models';
import { expect, it } from 'vitest';
import { listOffers } from './model-catalogue.ts';

it.each([...SMALL_MODELS, ...CLIENTS.flatMap(({ defaultModels }) => defaultModels)])(
  'has the model %s, which agents request',
  (model) => {
    expect(listOffers(model)).not.toEqual([]);
  },
);
