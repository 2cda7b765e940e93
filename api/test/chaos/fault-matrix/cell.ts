import type { TestedEndpoint } from '../../tested-endpoints.ts';

export type Dialect = TestedEndpoint['dialect'];

/** One way to call a model whose provider has a fault. */
export interface Cell {
  endpoint: Dialect;
  /** The faulty provider's dialect: the endpoint's own, or another one. */
  dialect: Dialect;
  isStream: boolean;
}

/** A request as the faulty provider sees it. */
export interface Call extends Cell {
  /** How many requests of the cell came before it. */
  earlier: number;
  /** How many requests came before it on its connection. */
  index: number;
}
