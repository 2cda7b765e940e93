-- Taxes that are added to the amount of a top-up, by the tax rates or by Stripe Tax, instead of being included in it.

ALTER TABLE installation_settings
  ADD COLUMN tax_mode text NOT NULL DEFAULT 'included' CHECK (tax_mode IN ('included', 'on_top', 'stripe'));

ALTER TABLE payments
  ADD COLUMN tax_mode text NOT NULL DEFAULT 'included' CHECK (tax_mode IN ('included', 'on_top', 'stripe')),
  -- Part of amount_cents that is not credited to the balance.
  ADD COLUMN added_tax_cents integer NOT NULL DEFAULT 0,
  -- {"taxes": [{"name", "ratePpm", "amountCents"}], "reverseCharge", "customer"}, as shown before the payment; null: included,
  -- or Stripe has not reported them yet.
  ADD COLUMN added_taxes jsonb,
  -- Stripe's calculation for the charge of a saved card; null: none.
  ADD COLUMN tax_calculation_id text,
  ADD CHECK (added_tax_cents >= 0 AND added_tax_cents < amount_cents),
  ADD CHECK (tax_mode <> 'included' OR (added_tax_cents = 0 AND added_taxes IS NULL));
