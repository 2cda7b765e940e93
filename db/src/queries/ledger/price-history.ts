import { servedTermsSchema } from '@tollgate/core/money/rates/usage-schema';
import { modelPrices } from '../../schema/catalogue.ts';
import type { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { toModelPrice, type ModelPrice } from '../models/model-prices.ts';

/** Time for which a process of the api may still bill the previous price, if the change reaches it late. */
const HEARS_WITHIN_MS = 300_000;

type PricedRow = Pick<typeof requests.$inferSelect, 'model' | 'upstreamModel' | 'servedTerms' | 'startedAt'>;

/** Every price that a model has had. */
export class PriceHistory {
  readonly #byId: ReadonlyMap<number, ModelPrice>;
  /** Ascending by the time from which they hold. */
  readonly #byModel = new Map<string, ModelPrice[]>();

  private constructor(prices: readonly ModelPrice[]) {
    this.#byId = new Map(prices.map((price) => [price.id, price]));
    for (const price of prices.toSorted((a, b) => a.effectiveFrom.getTime() - b.effectiveFrom.getTime())) {
      const known = this.#byModel.get(price.modelId);
      if (known === undefined) this.#byModel.set(price.modelId, [price]);
      else known.push(price);
    }
  }

  static async read(tx: Connection): Promise<PriceHistory> {
    const rows = await tx.drizzle.select().from(modelPrices);
    return new PriceHistory(rows.map(toModelPrice));
  }

  get(id: number): ModelPrice | undefined {
    return this.#byId.get(id);
  }

  /**
   * A request is billed by the price that its model had when it began, or by that of the model that the provider says
   * answered in its place.
   * @returns what is wrong with its price; null: nothing
   */
  whyNot(price: ModelPrice, row: PricedRow): { expected: string; actual: string } | null {
    const actual = `price ${price.id} of ${price.modelId}`;
    if (price.modelId !== row.model && !wasOtherServed(row))
      return { expected: `a price of ${row.model}`, actual };
    const at = row.startedAt.getTime();
    const held = this.#byModel
      .get(price.modelId)
      ?.findLast(({ effectiveFrom }) => effectiveFrom.getTime() <= at);
    // Demo requests are older than every price.
    if (held === undefined || held.id === price.id) return null;
    const isBefore = price.effectiveFrom.getTime() <= held.effectiveFrom.getTime();
    if (isBefore && at - held.effectiveFrom.getTime() < HEARS_WITHIN_MS) return null;
    return { expected: `a price that held at ${row.startedAt.toISOString()}`, actual };
  }
}

/** True if the provider served another model than requested. */
function wasOtherServed({ servedTerms, upstreamModel }: PricedRow): boolean {
  const served = servedTermsSchema.safeParse(servedTerms);
  return served.success && served.data.model !== null && served.data.model !== upstreamModel;
}
