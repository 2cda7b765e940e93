import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../../server/router.ts';

type Outputs = inferRouterOutputs<AppRouter>['operator'];

export type OperatorAccountRow = Outputs['accounts']['list']['accounts'][number];
export type OperatorAccount = Outputs['accounts']['get'];
export type OperatorMember = OperatorAccount['members'][number];
export type OperatorPlan = Outputs['plans']['list']['plans'][number];
export type OperatorModelRow = Outputs['models']['list']['models'][number];
export type OperatorModel = Outputs['models']['get'];
export type OperatorOffer = Outputs['models']['offers']['offers'][number];
export type OperatorPattern = Outputs['patterns']['list']['patterns'][number];
export type OperatorCosts = Outputs['costs']['list']['routes'][number];
export type HealthCheckCosts = Outputs['costs']['healthChecks'][number];
export type LostCacheReads = Outputs['costs']['lostCacheReads'][number];
export type UnknownMember = Outputs['providers']['unknownMembers']['members'][number];
export type OperatorProvider = Outputs['providers']['list']['providers'][number];
export type OperatorCredential = Outputs['providerCredentials']['list']['credentials'][number];
export type OperatorPreset = Outputs['providers']['presets']['presets'][number];
export type OperatorPayment = Outputs['payments']['list']['payments'][number];
export type OperatorPaymentDetail = Outputs['payments']['get'];
export type OperatorPaymentEvent = Outputs['payments']['events']['events'][number];
export type OperatorMail = Outputs['mails']['list']['mails'][number];
export type OperatorReplicas = Outputs['replicas']['list'];
export type OperatorReplica = OperatorReplicas['replicas'][number];
export type OperatorSystem = Outputs['system']['get'];
