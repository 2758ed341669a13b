/* Made-up programs for the tests of the page: sites that differ in what a page has to tell. */
#ifndef SUPPORT_PAGE_SIM_H
#define SUPPORT_PAGE_SIM_H

#include "base/rng.h"
#include "support/sim.h"

/* Names that no page may stumble over are among the sites'. */
struct sim page_sim(struct rng *rng, uint64_t samples);

#endif
