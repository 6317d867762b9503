#ifndef AIT_BASE_ADDRESS_H
#define AIT_BASE_ADDRESS_H
/*
 * Addresses of people and machines, which are never kept.
 */
#include <stdbool.h>
#include <stddef.h>

/*
 * Does the text hold an e-mail address (local@domain, the domain with a dot
 * and a top level of letters; "%40" is an @, too) or an IPv4 address (four
 * numbers up to 255 that nothing longer is made of), or is it an IPv6
 * address, as it is or in brackets, with a zone, with a port? A model like
 * name@20240620, a version of four numbers behind a letter and a time of day
 * are none.
 */
bool ait_has_address(const char *s, size_t n);

#endif
