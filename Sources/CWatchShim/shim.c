#include "CWatchShim.h"
