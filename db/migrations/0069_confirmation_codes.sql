-- People without a password confirm their identity with an emailed code.
ALTER TABLE one_time_codes DROP CONSTRAINT one_time_codes_purpose_check;
ALTER TABLE one_time_codes ADD CONSTRAINT one_time_codes_purpose_check
  CHECK (purpose IN ('verify_email', 'change_email', 'reset_password', 'operator_setup', 'link_identity',
                     'confirm_identity'));
