/* random.c - see random.h */
#include "random.h"

#include <string.h>

#include <Random123/threefry.h>

void ut_random_init(struct ut_random *r, uint64_t seed, enum ut_random_purpose purpose, uint32_t stream) {
  *r = (struct ut_random){.key = {seed, (uint64_t)purpose << 32 | stream}};
}

void ut_random_refill(struct ut_random *r) {
  threefry2x64_ctr_t block =
      threefry2x64_R(20, (threefry2x64_ctr_t){{r->counter, 0}}, (threefry2x64_key_t){{r->key[0], r->key[1]}});
  for (unsigned i = 0; i < 2; i++) {
    r->word[2 * i] = (uint32_t)block.v[i];
    r->word[2 * i + 1] = (uint32_t)(block.v[i] >> 32);
  }
  r->counter++;
  r->left = 4;
}

/* x = m * 2^e with m near 1, ln m = 2 artanh((m-1)/(m+1)).  |s| < 0.172, so that the first term left out is below
 * 1e-16. */
double ut_minus_log(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52) - 1023;
  bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52;
  double m;
  memcpy(&m, &bits, sizeof m);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    exponent++;
  }
  double s = (m - 1) / (m + 1), z = s * s, sum = 1.0 / 17;
  sum = sum * z + 1.0 / 15;
  sum = sum * z + 1.0 / 13;
  sum = sum * z + 1.0 / 11;
  sum = sum * z + 1.0 / 9;
  sum = sum * z + 1.0 / 7;
  sum = sum * z + 1.0 / 5;
  sum = sum * z + 1.0 / 3;
  sum = sum * z + 1;
  double value = 2 * s * sum + exponent * 0.6931471805599453;
  return value == 0 ? 0 : -value;
}
