/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - see random.h */
#include "random.h"

#include <string.h>

#include <Random123/threefry.h>

void ut_random_init(struct ut_random *random, uint64_t seed, enum ut_random_purpose purpose, uint32_t stream) {
  *random = (struct ut_random){.key = {seed, (uint64_t)purpose << 32 | stream}};
}

void ut_random_refill(struct ut_random *random) {
  uint64_t pair[2];
  ut_random_pair(random, pair);
  for (unsigned i = 0; i < 2; i++) {
    random->word[2 * i] = (uint32_t)pair[i];
    random->word[2 * i + 1] = (uint32_t)(pair[i] >> 32);
  }
  random->left = 4;
}

void ut_random_pair(struct ut_random *random, uint64_t pair[2]) {
  threefry2x64_ctr_t block = threefry2x64_R(20, (threefry2x64_ctr_t){{random->counter++, 0}},
                                            (threefry2x64_key_t){{random->key[0], random->key[1]}});
  pair[0] = block.v[0];
  pair[1] = block.v[1];
}

/* Computes several blocks at once. */
typedef uint64_t blocks __attribute__((vector_size(8 * UT_RANDOM_PAIRS)));

static inline void rounds(blocks x[2], unsigned a, unsigned b, unsigned c, unsigned d) {
  const unsigned rotation[4] = {a, b, c, d};
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; i++) {
    x[0] += x[1];
    x[1] = (x[1] << rotation[i] | x[1] >> (64 - rotation[i])) ^ x[0];
  }
}

void ut_random_pairs(struct ut_random *random, uint64_t pair[2 * UT_RANDOM_PAIRS]) {
  const uint64_t key[3] = {random->key[0], random->key[1], SKEIN_KS_PARITY64 ^ random->key[0] ^ random->key[1]};
  blocks x[2] = {key[0] + random->counter + (blocks){0, 1, 2, 3}, key[1] + (blocks){0}};
#pragma GCC unroll 5
  for (unsigned i = 1; i <= 5; i++) {
    if (i % 2)
      rounds(x, R_64x2_0_0, R_64x2_1_0, R_64x2_2_0, R_64x2_3_0);
    else
      rounds(x, R_64x2_4_0, R_64x2_5_0, R_64x2_6_0, R_64x2_7_0);
    x[0] += key[i % 3];
    x[1] += key[(i + 1) % 3] + i;
  }
  for (unsigned i = 0; i < UT_RANDOM_PAIRS; i++) {
    pair[2 * i] = x[0][i];
    pair[2 * i + 1] = x[1][i];
  }
  random->counter += UT_RANDOM_PAIRS;
}

static const struct {
  double inverse, log; /* near 1 / (1 + i/32), and minus its logarithm */
} part[33] = {
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.f07c1f07c1f08p-1, 0x1.f829b0e7832f8p-6},
    {0x1.e1e1e1e1e1e1ep-1, 0x1.f0a30c01162a8p-5},
    {0x1.d41d41d41d41dp-1, 0x1.6f0d28ae56b4ep-4},
    {0x1.c71c71c71c71cp-1, 0x1.e27076e2af2eap-4},
    {0x1.bacf914c1bad0p-1, 0x1.29552f81ff521p-3},
    {0x1.af286bca1af28p-1, 0x1.5ff3070a793d6p-3},
    {0x1.a41a41a41a41ap-1, 0x1.9525a9cf456b6p-3},
    {0x1.999999999999ap-1, 0x1.c8ff7c79a9a20p-3},
    {0x1.8f9c18f9c18fap-1, 0x1.fb9186d5e3e29p-3},
    {0x1.8618618618618p-1, 0x1.1675cababa60fp-2},
    {0x1.7d05f417d05f4p-1, 0x1.2e8e2bae11d31p-2},
    {0x1.745d1745d1746p-1, 0x1.4618bc21c5ec2p-2},
    {0x1.6c16c16c16c17p-1, 0x1.5d1bdbf5809cap-2},
    {0x1.642c8590b2164p-1, 0x1.739d7f6bbd007p-2},
    {0x1.5c9882b931057p-1, 0x1.89a3386c1425bp-2},
    {0x1.5555555555555p-1, 0x1.9f323ecbf984dp-2},
    {0x1.4e5e0a72f0539p-1, 0x1.b44f77bcc8f64p-2},
    {0x1.47ae147ae147bp-1, 0x1.c8ff7c79a9a21p-2},
    {0x1.4141414141414p-1, 0x1.dd46a04c1c4a1p-2},
    {0x1.3b13b13b13b14p-1, 0x1.f128f5faf06ecp-2},
    {0x1.3521cfb2b78c1p-1, 0x1.02552a5a5d0ffp-1},
    {0x1.2f684bda12f68p-1, 0x1.0be72e4252a83p-1},
    {0x1.29e4129e4129ep-1, 0x1.154c3d2f4d5eap-1},
    {0x1.2492492492492p-1, 0x1.1e85f5e7040d1p-1},
    {0x1.1f7047dc11f70p-1, 0x1.2795e1289b11bp-1},
    {0x1.1a7b9611a7b96p-1, 0x1.307d7334f10bep-1},
    {0x1.15b1e5f75270dp-1, 0x1.393e0d3562a1ap-1},
    {0x1.1111111111111p-1, 0x1.41d8fe84672afp-1},
    {0x1.0c9714fbcda3bp-1, 0x1.4a4f85db03ebbp-1},
    {0x1.0842108421084p-1, 0x1.52a2d265bc5abp-1},
    {0x1.0410410410410p-1, 0x1.5ad404c359f2dp-1},
    {0x1.0000000000000p-1, 0x1.62e42fefa39efp-1},
};

/* x = m * 2^e with 1 <= m < 2; m = (1 + r) / inverse with |r| < 1/64, so that the first term left out of the series is
 * below 1e-17. */
double ut_minus_log(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52) - 1023;
  unsigned i = (unsigned)((bits >> 46 & 63) + 1) / 2;
  bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52;
  double m;
  memcpy(&m, &bits, sizeof m);
  double r = m * part[i].inverse - 1, sum = -1.0 / 8;
  sum = sum * r + 1.0 / 7;
  sum = sum * r - 1.0 / 6;
  sum = sum * r + 1.0 / 5;
  sum = sum * r - 1.0 / 4;
  sum = sum * r + 1.0 / 3;
  sum = sum * r - 1.0 / 2;
  double value = exponent * 0.6931471805599453 + (part[i].log + (r + r * r * sum));
  return value == 0 ? 0 : -value;
}
