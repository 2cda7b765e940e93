import { modelFactsSchema, modelIdSchema } from '@tollgate/core/models/model-facts';
import { routingPolicySchema } from '@tollgate/core/models/routing-policy';
import { formatUsd } from '@tollgate/core/money/money';
import { toRateCard, priceTermsSchema } from '@tollgate/core/money/price-terms';
import { toRateLines, toRates } from '@tollgate/core/money/rates/rate-lines';
import { changeModelFacts, encodeModelFacts } from '@tollgate/db/queries/models/model-facts';
import { changeRoutingPolicy } from '@tollgate/db/queries/models/routing-policy';
import { putModel, listModels, removeModel } from '@tollgate/db/queries/models/models';
import { cancelModelPrice, setModelPrice } from '@tollgate/db/queries/operator/prices';
import { addProviderModels } from '@tollgate/db/queries/providers/provider-models';
import { listProviders } from '@tollgate/db/queries/providers/providers';
import { isRetired, listOffers, MODEL_CATALOGUE } from '@tollgate/upstreams/catalogue/model-catalogue';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { operatorProcedure, router } from '../trpc.ts';
import { readModel, readModels, type ModelDetail, type ModelListRow } from './model-view.ts';

/** What the catalogue knows of a model at one provider. */
export interface OfferRow {
  id: string;
  preset: string;
  title: string;
  inputUsd: string;
  outputUsd: string;
  contextTokens: number | null;
  /** The providers of this installation that serve it. */
  providers: { id: string; name: string }[];
}

/** An earlier price may be in use on a replica whose clock is ahead. */
const CANCEL_MARGIN_MS = 60_000;
const MAX_AHEAD_MS = 366 * 86_400_000;

export const operatorModelsRouter = router({
  list: operatorProcedure.query(async ({ ctx }): Promise<{ models: ModelListRow[] }> => ({
    models: await readModels(ctx),
  })),

  get: operatorProcedure
    .input(z.object({ modelId: z.string().max(200) }))
    .query(async ({ ctx, input }): Promise<ModelDetail> => readModel(ctx, input.modelId)),

  /** The catalogue's models that this installation lacks. */
  offers: operatorProcedure.query(async ({ ctx }): Promise<{ offers: OfferRow[] }> => {
    const { db, clock } = ctx.deps;
    const [models, providers] = await Promise.all([
      listModels(db, new Date(clock.nowMs())),
      listProviders(db),
    ]);
    const known = new Set(models.map(({ id }) => id));
    const offers = MODEL_CATALOGUE.filter(
      (offer) => !known.has(offer.id) && !isRetired(offer, clock.nowMs()),
    );
    return {
      offers: offers.map(({ id, preset, prices, facts }) => ({
        id,
        preset,
        title: facts.title,
        inputUsd: formatUsd(prices.inputNanoUsdPerMtok),
        outputUsd: formatUsd(prices.outputNanoUsdPerMtok),
        contextTokens: facts.contextTokens,
        providers: providers
          .filter((provider) => provider.preset === preset)
          .map((provider) => ({ id: provider.id, name: provider.name })),
      })),
    };
  }),

  /** Takes prices and facts from the catalogue; `providerId` null: no route leads to it yet. */
  addFromCatalogue: operatorProcedure
    .input(
      z.object({
        id: modelIdSchema,
        preset: z.string().max(64),
        providerId: z.string().max(64).nullable(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const { db, clock } = ctx.deps;
      const offer = listOffers(input.id).find(({ preset }) => preset === input.preset);
      if (offer === undefined) throw notFound('model in the catalogue');
      await putModel(db, {
        id: offer.id,
        facts: offer.facts,
        prices: offer.prices,
        now: new Date(clock.nowMs()),
        actorUserId: ctx.session.user.id,
      });
      if (input.providerId !== null) {
        const provider = (await listProviders(db)).find(({ id }) => id === input.providerId);
        if (provider?.preset !== offer.preset) throw notFound('provider');
        await addProviderModels(db, provider.id, [offer]);
      }
      return readModel(ctx, offer.id);
    }),

  add: operatorProcedure
    .input(z.object({ id: modelIdSchema, facts: modelFactsSchema, terms: priceTermsSchema }))
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const { db, clock } = ctx.deps;
      const now = new Date(clock.nowMs());
      const { id, facts, terms } = input;
      if ((await listModels(db, now)).some((model) => model.id === id))
        throw deny('BAD_REQUEST', 'A model with this ID already exists.', { field: 'id' });
      await putModel(db, {
        id,
        facts: encodeModelFacts(facts),
        prices: toRateCard(terms),
        now,
        actorUserId: ctx.session.user.id,
      });
      return readModel(ctx, id);
    }),

  /** Adds the published rates that the model lacks, starting now. No price or rate that it has changes. */
  addPublishedRates: operatorProcedure
    .input(z.object({ modelId: z.string().max(200) }))
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const { db, clock } = ctx.deps;
      const now = new Date(clock.nowMs());
      const { missingRates } = await readModel(ctx, input.modelId);
      const prices = (await listModels(db, now)).find(({ id }) => id === input.modelId)?.prices ?? null;
      if (prices !== null && missingRates.length > 0)
        await putModel(db, {
          id: input.modelId,
          facts: {},
          prices: { ...prices, rates: toRates([...toRateLines(prices.rates), ...missingRates]) },
          now,
          actorUserId: ctx.session.user.id,
        });
      return readModel(ctx, input.modelId);
    }),

  /** Counts from the next request on, on every replica. */
  setFacts: operatorProcedure
    .input(z.object({ modelId: z.string().max(200), facts: modelFactsSchema }))
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const { modelId, facts } = input;
      const actorUserId = ctx.session.user.id;
      if (!(await changeModelFacts(ctx.deps.db, { modelId, facts: encodeModelFacts(facts), actorUserId })))
        throw notFound('model');
      return readModel(ctx, modelId);
    }),

  /** Counts from the next request on, on every replica. */
  setRouting: operatorProcedure
    .input(z.object({ modelId: z.string().max(200), routing: routingPolicySchema }))
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const { modelId, routing } = input;
      const actorUserId = ctx.session.user.id;
      if ((await changeRoutingPolicy(ctx.deps.db, { modelId, policy: routing, actorUserId })) === null)
        throw notFound('model');
      return readModel(ctx, modelId);
    }),

  /** Removes its prices and its routes too; requests that were made keep their cost. */
  remove: operatorProcedure
    .input(z.object({ modelId: z.string().max(200) }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      const removed = await removeModel(ctx.deps.db, input.modelId, ctx.session.user.id);
      if (removed === null) throw notFound('model');
    }),

  /** `effectiveFrom` null: starting now. Requests that started before keep the price they started with. */
  setPrice: operatorProcedure
    .input(
      z.object({
        modelId: z.string().max(200),
        terms: priceTermsSchema,
        effectiveFrom: z.iso.datetime({ offset: true }).nullable(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const { db, clock } = ctx.deps;
      const { modelId, terms } = input;
      const set = await setModelPrice(db, {
        modelId,
        prices: toRateCard(terms),
        effectiveFrom: readTime(input.effectiveFrom, clock.nowMs()),
        actorUserId: ctx.session.user.id,
      });
      if (!set.ok) throw denyPrice(set.reason);
      return readModel(ctx, modelId);
    }),

  cancelPrice: operatorProcedure
    .input(z.object({ modelId: z.string().max(200), priceId: z.int().min(1) }))
    .mutation(async ({ ctx, input }): Promise<ModelDetail> => {
      const { db, clock } = ctx.deps;
      const notBefore = new Date(clock.nowMs() + CANCEL_MARGIN_MS);
      const actorUserId = ctx.session.user.id;
      if (!(await cancelModelPrice(db, { ...input, notBefore, actorUserId })))
        throw deny(
          'BAD_REQUEST',
          'This price is already active or starts within a minute. Set a new price instead.',
        );
      return readModel(ctx, input.modelId);
    }),
});

function readTime(effectiveFrom: string | null, nowMs: number): Date {
  if (effectiveFrom === null) return new Date(nowMs);
  const atMs = Date.parse(effectiveFrom);
  if (atMs <= nowMs)
    throw deny('BAD_REQUEST', 'Choose a time in the future, or apply the price now.', {
      field: 'effectiveFrom',
    });
  if (atMs > nowMs + MAX_AHEAD_MS)
    throw deny('BAD_REQUEST', 'A price can be scheduled up to a year ahead.', { field: 'effectiveFrom' });
  return new Date(atMs);
}

function denyPrice(reason: 'unknown_model' | 'unchanged' | 'time_taken') {
  switch (reason) {
    case 'unknown_model':
      return notFound('model');
    case 'unchanged':
      return deny('BAD_REQUEST', 'These prices are already set for that time.');
    case 'time_taken':
      return deny('BAD_REQUEST', 'Another price starts at the same time.', { field: 'effectiveFrom' });
  }
}
