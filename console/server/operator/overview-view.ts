import { computeDriftPpm } from '@tollgate/core/money/cost-drift';
import type { InstallationFigures, ProviderFigures } from '@tollgate/db/queries/usage/providers/overview';
import { addCounts, toQuantiles, type Quantiles } from '../usage/read-times.ts';

/** As {@link InstallationFigures}, with amounts in decimal nano-dollars. */
export interface InstallationView {
  requests: number;
  errors: number;
  revenueNanoUsd: string;
  providerCostNanoUsd: string;
}

/** A provider or a model. */
export interface GroupView extends InstallationView {
  /** '': no provider was called, or the model was never known. */
  name: string;
  /** Reported minus computed cost, in millionths of the larger one; null: the provider reports no cost. */
  driftPpm: number | null;
  latency: Quantiles;
  firstByte: Quantiles;
}

export function toInstallationView(figures: InstallationFigures): InstallationView {
  return {
    requests: figures.requests,
    errors: figures.errors,
    revenueNanoUsd: figures.chargedNanoUsd.toString(),
    providerCostNanoUsd: figures.providerCostNanoUsd.toString(),
  };
}

/** Sums up rows by provider or by model, the largest number of requests first. */
export function groupFigures(rows: readonly ProviderFigures[], by: 'provider' | 'model'): GroupView[] {
  return [...Map.groupBy(rows, (row) => row[by])]
    .map(([name, group]) => ({ ...toGroup(group), name }))
    .toSorted((a, b) => b.requests - a.requests || a.name.localeCompare(b.name));
}

/** Sums up rows. */
export function toGroup(rows: readonly ProviderFigures[]): Omit<GroupView, 'name'> {
  const sum = (read: (row: ProviderFigures) => bigint) => rows.reduce((total, row) => total + read(row), 0n);
  return {
    requests: rows.reduce((total, { requests }) => total + requests, 0),
    errors: rows.reduce((total, { errors }) => total + errors, 0),
    revenueNanoUsd: sum((row) => row.chargedNanoUsd).toString(),
    providerCostNanoUsd: sum((row) => row.providerCostNanoUsd).toString(),
    driftPpm: computeDriftPpm({
      reportedNanoUsd: sum((row) => row.reportedNanoUsd),
      computedNanoUsd: sum((row) => row.computedNanoUsd),
    }),
    latency: toQuantiles(addCounts(rows.map(({ latency }) => latency))),
    firstByte: toQuantiles(addCounts(rows.map(({ firstByte }) => firstByte))),
  };
}
